import { posix } from "node:path";

import type { SourceTree } from "./source-tree.ts";

/** A page that says where things are. */
export interface PathMap {
  /** Path of the page, in Markdown. */
  readonly page: string;
  /** Folders whose rooms, the folders directly in them, each have a row on the page. */
  readonly folders?: readonly string[];
}

/** Every page with a map. */
export const PATH_MAPS: readonly PathMap[] = [
  { page: "ARCHITECTURE.md" },
  { page: "CONTRIBUTING.md" },
  { page: "apps/agentk/README.md", folders: ["apps/agentk/src"] },
  { page: "apps/kas/README.md", folders: ["apps/kas/src"] },
  { page: "apps/sandbox/README.md", folders: ["apps/sandbox/src"] },
  { page: "apps/web/README.md", folders: ["apps/web/src/server", "apps/web/src/features"] },
  { page: "e2e/README.md", folders: ["e2e"] },
  { page: "packages/README.md", folders: ["packages"] },
  { page: "packages/environment-view/README.md", folders: ["packages/environment-view/src"] },
  { page: "scripts/README.md", folders: ["scripts"] },
];

/** A word in backticks that names a place: it has a slash inside, or ends like a source file. */
const PLACE = /^(?![./])[\w@.*<>{},/-]+\/[\w.*<>{},/-]*$|^[\w<>*{},.-]+\.tsx?$/;
/** Under the heading of a folder a word in small letters is a folder of it. */
const FOLDER = /^[a-z][a-z\d-]*$/;
/** Names of packages as they are imported. */
const IMPORT = /^@/;
/** A short form of a folder that the page introduces: "`kas/` is `apps/kas/src/`". */
const SHORT_FORM = /`([\w-]+\/)` is `([\w/-]+\/)`/g;
const CODE = /`([^`\n]+)`/g;
const MAX_ROW_LENGTH = 140;

/** A line outside of code blocks. */
interface MapLine {
  readonly number: number;
  readonly text: string;
  /** The folder in the heading above, with a slash at its end; empty without one. */
  readonly base: string;
  /** Words in backticks of the first cell, when the line is a row of a table. */
  readonly firstCell: readonly string[];
}

/**
 * Places that a map names and the repository does not have, and rooms that it does not name. Under a heading like "### `apps/kas/src`" places are
 * relative to that folder, and the further cells of a row also to the folder in its first cell; everywhere they may be relative to the root or to
 * the folder of the page. Above such headings a page of a folder may name things that are no files: there a place counts when it begins with a folder
 * of the root or of the page.
 */
export function mapProblems(tree: SourceTree, { page, folders = [] }: PathMap): string[] {
  const text = tree.textOf(page);
  if (text === undefined) return [`${page} does not exist`];
  const home = page.includes("/") ? `${posix.dirname(page)}/` : "";
  const shortForms = [...text.matchAll(SHORT_FORM)].map(([, short = "", folder = ""]) => ({ short, folder }));
  const lines = linesOf(text);
  const missing = lines.flatMap(({ number, text: line, base, firstCell }) => {
    const bases = ["", home, base, ...firstCell.map((folder) => `${base}${folder.replace(/\/$/, "")}/`)];
    return [...line.matchAll(CODE)].flatMap(([, word = ""]) => {
      if (!(PLACE.test(word) || (base !== "" && FOLDER.test(word))) || IMPORT.test(word)) return [];
      const top = word.split("/")[0] ?? "";
      if (base === "" && home !== "" && !tree.has(top) && !tree.has(`${home}${top}`)) return [];
      const form = shortForms.find(({ short }) => word.startsWith(short));
      const place = form === undefined ? word : `${form.folder}${word.slice(form.short.length)}`;
      return bases.some((folder) => tree.has(`${folder}${place}`)) ? [] : [`${page}:${number}: ${base}${place} does not exist`];
    });
  });
  return [...missing, ...folders.flatMap((folder) => roomProblems(tree, lines, { page, folder }))];
}

/** Rooms of a folder without a row below its heading, and rows that are too long to be read. */
function roomProblems(
  tree: SourceTree,
  lines: readonly MapLine[],
  { page, folder }: { readonly page: string; readonly folder: string },
): string[] {
  const rows = lines.filter(({ base, firstCell }) => base === `${folder}/` && firstCell.length > 0);
  const named = new Set(rows.flatMap(({ firstCell }) => firstCell.map((room) => room.replace(/\/$/, ""))));
  const paths = tree.filesBelow(folder).map((path) => path.slice(folder.length + 1).split("/"));
  const rooms = new Set(paths.flatMap(([room = "", file]) => (file === undefined ? [] : [room])));
  return [
    ...[...rooms].filter((room) => !named.has(room)).map((room) => `${page} has no row for ${folder}/${room}`),
    ...rows
      .filter(({ text }) => text.length > MAX_ROW_LENGTH)
      .map(({ number, text }) => `${page}:${number}: a row of ${text.length} characters; at most ${MAX_ROW_LENGTH}`),
  ];
}

function linesOf(markdown: string): MapLine[] {
  const lines: MapLine[] = [];
  let base = "";
  let inCode = false;
  for (const [index, text] of markdown.split("\n").entries()) {
    if (text.startsWith("```")) inCode = !inCode;
    if (inCode) continue;
    const heading = /^#+ (?:`([^`]+)`)?/.exec(text);
    if (heading !== null) base = heading[1] === undefined ? "" : `${heading[1].replace(/\/$/, "")}/`;
    const cell = /^\|([^|]*)\|/.exec(text)?.[1] ?? "";
    lines.push({ number: index + 1, text, base, firstCell: [...cell.matchAll(CODE)].map(([, word = ""]) => word) });
  }
  return lines;
}
