import { changedSince, commitOf, mergeBaseOf, type BaseCommit } from "../git/changed-files.ts";

/** Something that has planted faults, and the folders whose changes can decide whether its tests find them. */
export interface FaultSource {
  readonly name: string;
  /** Relative to the root. */
  readonly folders: readonly string[];
}

/** What is run, and why. */
export interface SubjectChoice {
  readonly names: readonly string[];
  /** One line. */
  readonly because: string;
}

/** A change of what plants the faults, or of the examples that properties draw, concerns every fault. */
const MACHINERY = ["scripts/faults/", "scripts/test/property-seed.ts"];

/**
 * Chooses whose faults are planted: those of packages that differ from a base, or that depend on one that does. The base is FAULTS_BASE,
 * else the merge base with origin/main when that is not HEAD itself, else the parent commit. Without a base all are chosen. Documents
 * (`*.md`) change nothing.
 *
 * @param faultsBase the variable FAULTS_BASE
 */
export function chooseSubjects(root: string, sources: readonly FaultSource[], faultsBase: string | undefined): SubjectChoice {
  const all = sources.map(({ name }) => name);
  const base = baseOf(root, faultsBase);
  if (typeof base === "string") return { names: all, because: `all: ${base}` };
  const changed = changedSince(root, base)?.filter((file) => !file.endsWith(".md"));
  if (changed === undefined) return { names: all, because: `all: git cannot compare with ${base.name}` };
  const machinery = changed.find((file) => MACHINERY.some((path) => file.startsWith(path)));
  if (machinery !== undefined) return { names: all, because: `all: ${machinery} differs from ${base.name}` };
  const chosen = sources.flatMap(({ name, folders }) => {
    const file = changed.find((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
    return file === undefined ? [] : [{ name, why: `${name} (${file})` }];
  });
  if (chosen.length === 0)
    return { names: [], because: `none: no package with planted faults, and none it needs, differs from ${base.name}` };
  return { names: chosen.map(({ name }) => name), because: `${chosen.map(({ why }) => why).join(", ")}: differ from ${base.name}` };
}

/** @returns why there is no base, if there is none */
function baseOf(root: string, faultsBase: string | undefined): BaseCommit | string {
  if (faultsBase !== undefined && faultsBase !== "")
    return commitOf(root, faultsBase, "FAULTS_BASE") ?? `FAULTS_BASE names no commit of this history (${faultsBase})`;
  return mergeBaseOf(root) ?? commitOf(root, "HEAD^", "the parent commit") ?? "there is no history to compare with";
}
