import type { TextEdit } from "./language-server.ts";

/** A file whose names change. */
interface ChangedFile {
  readonly path: string;
  readonly before: string;
  readonly edits: readonly TextEdit[];
}

const FAULTS = /^(.*?)(?:\/faults\/[^/]+\.json)$/;

/**
 * Lists of planted faults (`<folder>/faults/*.json`) with the snippets of a file as they are after its edits: what is searched for has each
 * edit that falls into it, and what takes its place has the same names changed. A snippet that is not in the file exactly once stays.
 *
 * @returns the lists that differ
 */
export function renamedFaults(texts: ReadonlyMap<string, string>, changed: ChangedFile): Map<string, string> {
  const lists = new Map<string, string>();
  for (const [path, text] of texts) {
    const folder = FAULTS.exec(path)?.[1];
    if (folder === undefined || !changed.path.startsWith(`${folder}/`)) continue;
    const file = changed.path.slice(folder.length + 1);
    const faults: unknown = JSON.parse(text);
    if (renameIn(faults, file, changed)) lists.set(path, `${JSON.stringify(faults, null, 2)}\n`);
  }
  return lists;
}

/** Changes the entries of a list in place. @returns whether one differs */
function renameIn(value: unknown, file: string, changed: ChangedFile): boolean {
  if (typeof value !== "object" || value === null) return false;
  let differs = Object.values(value)
    .map((each: unknown) => renameIn(each, file, changed))
    .includes(true);
  const entry = value as Record<string, unknown>;
  if (entry["file"] !== file || typeof entry["find"] !== "string" || typeof entry["replace"] !== "string") return differs;
  const start = changed.before.indexOf(entry["find"]);
  if (start < 0 || changed.before.includes(entry["find"], start + 1)) return differs;
  const end = start + entry["find"].length;
  const inside = changed.edits.filter((edit) => edit.start >= start && edit.end <= end).toSorted((left, right) => right.start - left.start);
  let { find, replace } = { find: entry["find"], replace: entry["replace"] };
  for (const edit of inside) find = find.slice(0, edit.start - start) + edit.text + find.slice(edit.end - start);
  const nameOf = (edit: TextEdit): string => changed.before.slice(edit.start, edit.end);
  for (const edit of changed.edits) {
    const word = new RegExp(String.raw`(?<![\w$#])${nameOf(edit).replaceAll("$", String.raw`\$`)}(?![\w$])`, "g");
    // The snippet may have another thing of the same name.
    const isOther = word.test(entry["find"]) && !inside.some((each) => nameOf(each) === nameOf(edit));
    const to = edit.text.split(": ").at(-1) ?? edit.text;
    if (!isOther) replace = replace.replaceAll(word, () => to);
  }
  differs ||= find !== entry["find"] || replace !== entry["replace"];
  Object.assign(entry, { find, replace });
  return differs;
}
