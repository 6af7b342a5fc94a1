import { parseSync, Visitor } from "oxc-parser";

import { folderRings, LAYERED } from "../check/folder-rings.ts";
import type { SourceTree } from "../check/source-tree.ts";

/** One measured figure of the sources. */
export interface Figure {
  readonly title: string;
  readonly value: number;
  /** What the value is a share of. */
  readonly of?: number;
}

const TYPESCRIPT = /^(?:apps|packages|scripts|e2e)\/.*\.tsx?$/;
const GENERATED = /^packages\/(?:proto\/gen\/|graph\/src\/packs\/|words\/src\/english\.ts$)/;
const PRODUCT = /^(?:apps\/(?:agentk|kas|web)|packages\/[^/]+)\/(?:src|app)\//;
/** Tests, what only they use, and stand-ins of programs of others. */
const NOT_PRODUCT =
  /\.(?:test|itest|conformance|bench)\.tsx?$|\.dev\.tsx$|\/(?:testing|hostile|fixtures|real-cluster)\/|^packages\/(?:kube-sandbox|kubelet-stand-in|control-plane|testing)\//;

const FEW_LINES = 60;
const MAX_LINES = 400;
/** Words that say less than the standard ones (docs/design/conventions.md), as words of a text and as parts of names. */
const VAGUE = "told|said|asked|whoever|nobody|somebody|wish(?:es|ed)?|mend(?:s|ed|ing)?";
const VAGUE_WORD = new RegExp(
  String.raw`(?<![A-Za-z])(?:${VAGUE}|${VAGUE.toUpperCase()})(?![a-z])|(?<=^|[a-z\d_]|\b|[A-Z])(?:${capitalised(VAGUE)})(?![a-z])`,
  "g",
);

/** Figures of size, structure and words, in the order in which they are printed. */
export function figuresOf(tree: SourceTree): Figure[] {
  const sources = [...tree.texts()].filter(([path]) => TYPESCRIPT.test(path) && !GENERATED.test(path));
  const product = sources.filter(([path]) => PRODUCT.test(path) && !NOT_PRODUCT.test(path));
  const worded = sources.filter(([path]) => /^(?:apps|packages)\//.test(path));
  const names = worded.map(([path]) => path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, ""));
  const messages = worded.filter(([path]) => path.startsWith("packages/words/src/en/")).flatMap(([path, text]) => messagesOf(path, text));
  return [
    { title: "files", value: tree.files().length },
    { title: "TypeScript files, generated ones aside", value: sources.length },
    { title: "product files", value: product.length },
    { title: "product lines", value: sum(product.map(([, text]) => linesOf(text))) },
    { title: "imports between rooms that lead back", value: sum(LAYERED.map((base) => folderRings(tree, base).length)) },
    { title: `product files under ${FEW_LINES} lines with a single importer`, value: singleImporters(product), of: product.length },
    { title: `files over ${MAX_LINES} lines`, value: sources.filter(([, text]) => linesOf(text) > MAX_LINES).length },
    { title: "vague words in apps and packages", value: sum(worded.map(([, text]) => vagueWords(text))) },
    { title: "identifiers with a vague word", value: new Set(worded.flatMap(([path, text]) => vagueIdentifiers(path, text))).size },
    { title: "file names with a vague word", value: names.filter((name) => vagueWords(name) > 0).length },
    { title: "messages", value: messages.length },
    { title: "messages that are a fragment", value: messages.filter((text) => /^[ ,]|[ ,]$/.test(text)).length },
  ];
}

/** How often a text has one of the words, alone or as a part of a name in camelCase, snake_case or kebab-case. */
export function vagueWords(text: string): number {
  return text.match(VAGUE_WORD)?.length ?? 0;
}

function vagueIdentifiers(path: string, source: string): string[] {
  if (vagueWords(source) === 0) return [];
  const found = new Set<string>();
  const look = ({ name }: { readonly name: string }): void => {
    if (vagueWords(name) > 0) found.add(name);
  };
  new Visitor({ Identifier: look, PrivateIdentifier: look }).visit(parseSync(path, source).program);
  return [...found];
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

/** Short files that one product file imports, and no other. */
function singleImporters(product: readonly (readonly [string, string])[]): number {
  const importers = new Map<string, Set<string>>();
  for (const [path, text] of product) {
    for (const [, specifier = ""] of text.matchAll(/(?:\bfrom |\bimport ?\(?|new URL\()"(\.{1,2}\/[^"]+)"/g)) {
      const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return product.filter(([path, text]) => linesOf(text) < FEW_LINES && importers.get(path)?.size === 1).length;
}

/** Lines of a text that ends with a line break. */
function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

function capitalised(words: string): string {
  return words.replaceAll(/(^|\|)(\w)/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
