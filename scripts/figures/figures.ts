import { parseSync, Visitor } from "oxc-parser";

import { fileRulesOf, linesOf } from "../check/file-rules.ts";
import { folderRings, LAYERED } from "../check/folder-rings.ts";
import type { SourceTree } from "../check/source-tree.ts";
import { vagueWordsOf } from "../check/vague-words.ts";

/** One measured figure of the sources. */
export interface Figure {
  readonly title: string;
  readonly value: number;
  /** What the value is a share of. */
  readonly of?: number;
}

/** Figures of size, structure and words, in the order in which they are printed. */
export function figuresOf(tree: SourceTree): Figure[] {
  const { sources, product, singleImporters, long } = fileRulesOf(tree);
  const words = vagueWordsOf(tree);
  const messages = sources.filter(([path]) => path.startsWith("packages/words/src/en/")).flatMap(([path, text]) => messagesOf(path, text));
  return [
    { title: "files", value: tree.files().length },
    { title: "TypeScript files, generated ones aside", value: sources.length },
    { title: "product files", value: product.length },
    { title: "product lines", value: sum(product.map(([, text]) => linesOf(text))) },
    { title: "imports between rooms that lead back", value: sum(LAYERED.map((base) => folderRings(tree, base).length)) },
    { title: "product files under 60 lines with a single importer", value: singleImporters.length, of: product.length },
    { title: "files over 400 lines", value: long.length },
    { title: "vague words in apps and packages", value: words.count },
    { title: "identifiers with a vague word", value: words.identifiers.length },
    { title: "file names with a vague word", value: words.files.length },
    { title: "messages", value: messages.length },
    { title: "messages that are a fragment", value: messages.filter((text) => /^[ ,]|[ ,]$/.test(text)).length },
  ];
}

/** The templates of a catalogue: texts of properties whose key is an id. */
function messagesOf(path: string, source: string): string[] {
  const found: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type !== "Literal" || value.type !== "Literal") return;
      if (typeof key.value === "string" && typeof value.value === "string") found.push(value.value);
    },
  }).visit(parseSync(path, source).program);
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
