import { existsSync } from "node:fs";
import { join, normalize, relative, resolve } from "node:path";

import { longTestFiles, testFiles, vitestProjectOf } from "./test-files.ts";

/** What a run is limited to: whole parts, and single files by the name of the part that runs them. */
export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly parts: readonly string[]; readonly files: ReadonlyMap<string, readonly string[]> };

/** The argument that means all long test files. */
const LONG = "long";

/** How arguments are understood. */
export interface SelectionContext {
  readonly root: string;
  /** Names of all parts. */
  readonly parts: readonly string[];
  /** Projects of the browsers that run specifications: file → names of parts. */
  readonly projectsOf: (specifications: readonly string[]) => ReadonlyMap<string, readonly string[]>;
}

/** Test files that an argument means: below a path that exists, or with the argument in their own. */
function filesOf(argument: string, root: string): readonly string[] {
  if (argument === LONG) return longTestFiles(root);
  const files = testFiles(root);
  const path = relative(root, resolve(root, argument));
  if (existsSync(join(root, path))) return files.filter((file) => path === "" || file === normalize(path) || file.startsWith(`${path}/`));
  return files.filter((file) => file.includes(argument));
}

/**
 * Reads the arguments of `npm test`: each is the name of a part, `long`, the path of a test file or folder, or a text in the path of
 * test files.
 *
 * @throws Error that names the parts when an argument is none of these
 */
export function selectTests(args: readonly string[], { root, parts, projectsOf }: SelectionContext): Selection {
  if (args.length === 0) return { kind: "all" };
  const named = args.filter((argument) => parts.includes(argument));
  const wanted = new Set<string>();
  for (const argument of args.filter((each) => !named.includes(each))) {
    const files = filesOf(argument, root);
    if (files.length === 0) {
      throw new Error(
        `"${argument}" is no part of the tests, no test file or folder of them, and in no path of one. Parts: ${[...parts, LONG].join(", ")}.`,
      );
    }
    for (const file of files) wanted.add(file);
  }
  const files = new Map<string, string[]>();
  const add = (part: string, file: string): void => void files.set(part, [...(files.get(part) ?? []), file]);
  const specifications = [...wanted].filter((file) => vitestProjectOf(file) === undefined);
  const projects = specifications.length === 0 ? new Map<string, readonly string[]>() : projectsOf(specifications);
  for (const file of wanted) {
    const project = vitestProjectOf(file);
    for (const part of project === undefined ? (projects.get(file) ?? []) : [project]) add(part, file);
  }
  return { kind: "some", parts: named, files };
}
