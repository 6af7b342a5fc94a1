import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One planted fault, as it stands in `packages/<name>/faults/*.json`. */
export interface PlantedFault {
  /** Unique in its package; the title of its line in the report. */
  readonly id: string;
  /** Source file, relative to the package. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  /** What a careless hand writes in its place. */
  readonly replace: string;
  /** The mistake in one sentence. */
  readonly what: string;
  /** Which of the 13 defects of Argo CD's built-in rules it is (docs/design/health.md), if it is one. */
  readonly argo?: string;
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
  if (typeof entry !== "object" || entry === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(entry));
  const text = (name: string): string | undefined => {
    const value = fields.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const [id, file, find, replace, what, argo] = [text("id"), text("file"), text("find"), text("replace"), text("what"), text("argo")];
  if (id === undefined || file === undefined || find === undefined || replace === undefined || what === undefined) return undefined;
  return { id, file, find, replace, what, ...(argo === undefined ? {} : { argo }) };
}
