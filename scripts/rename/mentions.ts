import { parseSync, Visitor } from "oxc-parser";

import type { SourceTree } from "../check/source-tree.ts";
import type { RenameList } from "./rename-list.ts";

/** What is written about a name that has changed. */
export interface Mentions {
  /** New texts of files whose comments or sentences had such a name, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** What is left to a person, `path: name`: names that something else has too, and files that were moved. */
  readonly left: readonly string[];
}

/**
 * Changes names in comments and in Markdown where nothing is called by the old name any more; the changelog tells of old names and stays.
 * Names that are common words of the language are passed over.
 *
 * @param tree the sources after the renames
 */
export function renamedMentions(tree: SourceTree, { paths, names }: RenameList): Mentions {
  const texts = new Map<string, string>();
  const left: string[] = [];
  const sources = [...tree.texts()].filter(([path]) => path !== "CHANGELOG.md");
  for (const [word, { to, folder }] of wordsOf(names)) {
    const mention = wholeWord(word);
    const files = sources.map(([path, text]) => [path, texts.get(path) ?? text] as const).filter(([, text]) => mention.test(text));
    const isTaken = files.some(([path, text]) => isSource(path) && hasIdentifier(path, text, word));
    for (const [path, text] of files) {
      const after = isTaken ? text : withMentions(path, text, (part) => part.replaceAll(wholeWord(word, "g"), () => to));
      if (after !== text) texts.set(path, after);
      // What others call so has mentions of its own.
      if (mention.test(after) && (!isTaken || path.startsWith(`${folder}/`))) left.push(`${path}: ${word}`);
    }
  }
  for (const [from, to] of Object.entries(paths)) {
    const name = nameOf(from);
    if (name === nameOf(to)) continue;
    for (const [path, text] of sources) if (wholeWord(name).test(text)) left.push(`${path}: ${name}`);
  }
  return { texts, left };
}

/** New names by old ones that are no common words (of several words, as `nextPage` or `MAX_PAGES`), and the package that had the old one. */
function wordsOf(names: RenameList["names"]): Map<string, { readonly to: string; readonly folder: string }> {
  const words = names.map(({ file, from, to }) => {
    const folder = file.split("/").slice(0, 2).join("/");
    return [from.slice(from.lastIndexOf(".") + 1), { to, folder }] as const;
  });
  return new Map(words.filter(([word]) => /[a-z][A-Z]|_/.test(word)));
}

/** Changes the parts of a text that are written for people. */
function withMentions(path: string, text: string, change: (part: string) => string): string {
  if (path.endsWith(".md")) return change(text);
  if (!isSource(path)) return text;
  let result = "";
  let end = 0;
  for (const comment of parseSync(path, text).comments) {
    result += text.slice(end, comment.start) + change(text.slice(comment.start, comment.end));
    ({ end } = comment);
  }
  return result + text.slice(end);
}

/** Whether a source calls something by a name, a private member also by its name without `#`. */
export function hasIdentifier(path: string, text: string, word: string): boolean {
  let isFound = false;
  const look = ({ name }: { readonly name: string }): void => {
    isFound ||= name === word.replace(/^#/, "");
  };
  new Visitor({ Identifier: look, PrivateIdentifier: look }).visit(parseSync(path, text).program);
  return isFound;
}

function wholeWord(word: string, flags = ""): RegExp {
  return new RegExp(String.raw`(?<![\w$#-])${word.replaceAll(/[.$]/g, String.raw`\$&`)}(?![\w$-])`, flags);
}

function isSource(path: string): boolean {
  return /\.tsx?$/.test(path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
