import { posix } from "node:path";

import type { SourceTree } from "./source-tree.ts";

/** Links in examples are not links of the page. */
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
/** `[text](target)` of Markdown, and what HTML in it names. */
const LINK = /\]\(([^)\s]+)(?:\s+"[^"]*")?\)|\b(?:src|srcset|href)="([^"]*)"/g;
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/**
 * Links and pictures of Markdown pages that lead to no file of the repository. Addresses of the web are not looked up, and headings are not
 * compared.
 *
 * @returns one sentence each, with path and line
 */
export function linkProblems(tree: SourceTree): string[] {
  const problems: string[] = [];
  for (const [path, text] of tree.texts()) {
    if (!path.endsWith(".md")) continue;
    const prose = text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, " "));
    for (const match of prose.matchAll(LINK)) {
      const target = match[1] ?? match[2] ?? "";
      const [file = ""] = target.split("#");
      if (ELSEWHERE.test(target) || (file === "" && target !== "")) continue;
      if (file !== "" && tree.has(posix.join(posix.dirname(path), decodeURI(file)))) continue;
      problems.push(`${path}:${prose.slice(0, match.index).split("\n").length}: the link to "${target}" leads to no file`);
    }
  }
  return problems;
}
