import type { SourceTree } from "./source-tree.ts";

/** A word in backticks that names a place: it has a slash inside, or ends like a source file. */
const PLACE = /^(?!\/)[\w@.*<>{},/-]+\/[\w.*<>{},/-]*$|^[\w<>*{},.-]+\.tsx?$/;
/** Under the heading of a folder a word in small letters is a folder of it. */
const FOLDER = /^[a-z][a-z\d-]*$/;
/** Names of packages as they are imported. */
const IMPORT = /^@/;

/**
 * Places that the map names and the repository does not have. Under a heading like "### `apps/kas/src`" places are meant from there;
 * from the root they may be named anywhere.
 *
 * @param map path of the map, a Markdown page
 */
export function mapProblems(tree: SourceTree, map: string): string[] {
  const text = tree.textOf(map);
  if (text === undefined) return [`${map} does not exist`];
  const problems: string[] = [];
  let base = "";
  let inCode = false;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.startsWith("```")) inCode = !inCode;
    if (inCode) continue;
    const heading = /^#+ (?:`([^`]+)`)?/.exec(line);
    if (heading !== null) base = heading[1] === undefined ? "" : `${heading[1].replace(/\/$/, "")}/`;
    for (const [, place = ""] of line.matchAll(/`([^`\n]+)`/g)) {
      const isPlace = PLACE.test(place) || (base !== "" && FOLDER.test(place));
      if (!isPlace || IMPORT.test(place)) continue;
      if (!tree.has(place) && !tree.has(`${base}${place}`)) problems.push(`${map}:${index + 1}: ${base}${place} does not exist`);
    }
  }
  return problems;
}
