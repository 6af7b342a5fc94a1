import { posix } from "node:path";

import type { SourceTree } from "./source-tree.ts";

/** Its planted mistakes would be found. */
const PLANTED = /^scripts\/check\/[\w-]+\.test\.ts$/;

/** A page as text names it; what stands directly before tells an address of the web. */
const PAGE = /(?<![\w./:*<>{}@-])(?:\.{1,2}\/)*(?:[\w-]+\/)*[\w.-]+\.md\b/g;
/** A heading behind a page, in double quotes (in JSON they are escaped); a comment may break the line before or in it. */
const HEADING = /^[ \t]*(?:\n[ \t]*(?:\*|\/\/|#)?)?[ \t]+\\?"([^"\\]{1,120}?)\\?"/;
const LINE_BREAK = /\s*\n\s*(?:\*|\/\/|#)?\s*/g;
const SECTION = /\u00a7/g;
/** Standards that everybody can look up; one that was just named may be meant by a second section sign alone. */
const STANDARD = /(?:RFC \d+,?|HPACK,?|WCAG [\d.]+,?) $|RFC \d+ \u00a7[\d.]+[^\u00a7]*[(,;] ?$/;
const DECISION = /\bADR (\d+)\b/g;

/**
 * Citations that lead nowhere: a page that does not exist, a heading that the page does not have, a decision without a file, and a
 * section sign behind anything but a public standard, which is how a document outside of the repository is cited.
 *
 * @returns one sentence each, with path and line
 */
export function citationProblems(tree: SourceTree): string[] {
  const problems: string[] = [];
  for (const [path, text] of tree.texts()) {
    if (PLANTED.test(path)) continue;
    const report = (index: number, sentence: string): void => {
      problems.push(`${path}:${text.slice(0, index).split("\n").length}: ${sentence}`);
    };
    for (const match of text.matchAll(PAGE)) {
      const heading = HEADING.exec(text.slice(match.index + match[0].length, match.index + match[0].length + 200))?.[1];
      const sentence = pageProblem(tree, path, { page: match[0], heading: heading?.replaceAll(LINE_BREAK, " ") });
      if (sentence !== undefined) report(match.index, sentence);
    }
    for (const { index } of text.matchAll(SECTION)) {
      if (!STANDARD.test(text.slice(Math.max(0, index - 300), index)))
        report(index, "a section of a document that is not in this repository");
    }
    for (const match of text.matchAll(DECISION)) {
      if (!tree.has(`docs/adr/${(match[1] ?? "").padStart(4, "0")}-*.md`)) report(match.index, `${match[0]} does not exist`);
    }
  }
  return problems;
}

interface Citation {
  /** As it stands in the text. */
  readonly page: string;
  readonly heading: string | undefined;
}

/** A page is named from the root, or from the folder of the file that names it. */
function pageProblem(tree: SourceTree, citing: string, { page, heading }: Citation): string | undefined {
  const path = [page, posix.join(posix.dirname(citing), page)].find((candidate) => tree.has(candidate));
  if (path === undefined) return `${page} does not exist`;
  // Behind a page of another folder quotes are just quotes.
  if (heading === undefined || !path.startsWith("docs/") || headingsOf(tree.textOf(path) ?? "").has(heading)) return undefined;
  return `${path} has no heading "${heading}"`;
}

function headingsOf(markdown: string): ReadonlySet<string> {
  return new Set([...markdown.matchAll(/^#+ (.+?)\s*$/gm)].map((match) => (match[1] ?? "").replaceAll("`", "")));
}
