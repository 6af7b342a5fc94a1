import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A place in a source, and what stands there instead. */
export interface FaultEdit {
  /** Source file, relative to the package. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  /** What a careless hand writes in its place. */
  readonly replace: string;
}

/** One planted fault, as it stands in `{packages,apps}/<name>/faults/*.json`. */
export interface PlantedFault extends FaultEdit {
  /** Unique in its package; the title of its line in the report. */
  readonly id: string;
  /** The mistake in one sentence. */
  readonly what: string;
  /** Which of the 13 defects of Argo CD's built-in rules it is (docs/design/health.md), if it is one. */
  readonly argo?: string;
  /** Further edits, where several places prevent the harm; only for programs (program-faults.ts). */
  readonly also?: readonly FaultEdit[];
  /** Which tests are run, by a part of their titles; only for programs. */
  readonly test?: string;
  /** Title of the one test of its file that notices it; only that file is run. Only for packages. */
  readonly case?: string;
}

/** The source with the fault in it, or why the fault does not fit the source any more. */
export type Applied = { readonly kind: "applied"; readonly source: string } | { readonly kind: "refused"; readonly reason: string };

/**
 * Every fault of a package, sorted by file name.
 *
 * @param packageDir directory of the package
 * @throws Error naming the file when an entry has another shape or an id occurs twice
 */
export function readPlantedFaults(packageDir: string): readonly PlantedFault[] {
  const faults: PlantedFault[] = [];
  const known = new Set<string>();
  for (const name of globSync("faults/*.json", { cwd: packageDir }).sort()) {
    const content: unknown = JSON.parse(readFileSync(join(packageDir, name), "utf8"));
    if (!Array.isArray(content)) throw new Error(`${name} is not a list of faults`);
    for (const entry of content as readonly unknown[]) {
      const fault = parseFault(entry);
      if (fault === undefined) throw new Error(`${name} has an entry without id, file, find, replace and what: ${JSON.stringify(entry)}`);
      if (known.has(fault.id)) throw new Error(`${name} has a second fault called ${fault.id}`);
      known.add(fault.id);
      faults.push(fault);
    }
  }
  return faults;
}

/** Puts the fault into the source, in memory; a text that is not there exactly once is refused, because then it says nothing. */
export function applyFault(source: string, { find, replace }: Pick<PlantedFault, "find" | "replace">): Applied {
  const occurrences = source.split(find).length - 1;
  if (find === "" || occurrences === 0) return { kind: "refused", reason: "the text to replace is not in the file" };
  if (occurrences > 1) return { kind: "refused", reason: `the text to replace is ${occurrences} times in the file` };
  if (find === replace) return { kind: "refused", reason: "the fault changes nothing" };
  const at = source.indexOf(find);
  return { kind: "applied", source: source.slice(0, at) + replace + source.slice(at + find.length) };
}

function parseFault(entry: unknown): PlantedFault | undefined {
  const edit = parseEdit(entry);
  const [id, what, argo, test, only] = ["id", "what", "argo", "test", "case"].map((name) => textOf(entry, name));
  const also = fieldsOf(entry).get("also") ?? [];
  if (edit === undefined || id === undefined || what === undefined || !Array.isArray(also)) return undefined;
  const edits = also.map(parseEdit);
  if (edits.includes(undefined)) return undefined;
  return {
    id,
    ...edit,
    what,
    ...(argo === undefined ? {} : { argo }),
    ...(test === undefined ? {} : { test }),
    ...(only === undefined ? {} : { case: only }),
    ...(edits.length === 0 ? {} : { also: edits.flatMap((each) => each ?? []) }),
  };
}

function parseEdit(entry: unknown): FaultEdit | undefined {
  const [file, find, replace] = ["file", "find", "replace"].map((name) => textOf(entry, name));
  return file === undefined || find === undefined || replace === undefined ? undefined : { file, find, replace };
}

function textOf(entry: unknown, name: string): string | undefined {
  const value = fieldsOf(entry).get(name);
  return typeof value === "string" ? value : undefined;
}

function fieldsOf(entry: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof entry === "object" && entry !== null ? Object.entries(entry) : []);
}
