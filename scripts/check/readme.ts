import type { SourceTree } from "./source-tree.ts";

const README = "README.md";
const ARCHITECTURE = "ARCHITECTURE.md";
const PICTURES = "docs/images";
const MIN_LINES = 60;
const MAX_LINES = 80;
/** Every clone of the repository has every version of them. */
const MAX_PICTURE_BYTES = 2_000_000;
/** It is read in one sitting; what is longer belongs on a page of one part. */
const MAX_ARCHITECTURE_BYTES = 8_000;

const IMAGE = /<img\b[^>]*>|!\[([^\]]*)\]\(/g;
const ALT = /\balt="\s*([^"]*?)\s*"/;

/**
 * Problems of the README: its length, a text instead of each picture for those who do not see it, and pictures that take
 * more room than they may. `linkProblems` checks its links, as those of all pages.
 *
 * @param bytesOf the size of a file of the repository, by its path from the root
 * @returns one sentence each
 */
export function readmeProblems(tree: SourceTree, bytesOf: (path: string) => number): string[] {
  const text = tree.textOf(README);
  if (text === undefined) return [`${README} does not exist`];
  const problems: string[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (lines < MIN_LINES || lines > MAX_LINES) problems.push(`${README} has ${lines} lines, not ${MIN_LINES} to ${MAX_LINES}`);
  for (const match of text.matchAll(IMAGE)) {
    const words = match[1] ?? ALT.exec(match[0])?.[1] ?? "";
    if (words === "") problems.push(`${README}:${text.slice(0, match.index).split("\n").length}: a picture without a text instead of it`);
  }
  const pictures = tree.filesBelow(PICTURES);
  const bytes = pictures.reduce((sum, path) => sum + bytesOf(path), 0);
  if (bytes > MAX_PICTURE_BYTES) problems.push(`${PICTURES} has ${bytes} bytes, more than ${MAX_PICTURE_BYTES}`);
  for (const path of pictures) if (!text.includes(path)) problems.push(`${path} is not shown in ${README}`);
  return problems;
}

/** Problems of ARCHITECTURE.md: its length. `mapProblems` checks its paths. @returns one sentence each */
export function architectureProblems(tree: SourceTree): string[] {
  const text = tree.textOf(ARCHITECTURE);
  if (text === undefined) return [`${ARCHITECTURE} does not exist`];
  const bytes = Buffer.byteLength(text);
  return bytes > MAX_ARCHITECTURE_BYTES ? [`${ARCHITECTURE} has ${bytes} bytes, more than ${MAX_ARCHITECTURE_BYTES}`] : [];
}
