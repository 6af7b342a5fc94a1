import { parseSync, Visitor } from "oxc-parser";

import type { SourceTree } from "./source-tree.ts";

/** Sources whose words are checked: of apps and packages, generated ones aside. */
const WORDED = /^(?:apps|packages)\/(?!proto\/gen\/|graph\/src\/packs\/|words\/src\/english\.ts$).*\.tsx?$/;
/** Words that say less than the standard ones (docs/design/conventions.md), as words of a text and as parts of names. */
const VAGUE = "told|said|asked|whoever|nobody|somebody|wish(?:es|ed)?|mend(?:s|ed|ing)?";
const VAGUE_WORD = new RegExp(
  String.raw`(?<![A-Za-z])(?:${VAGUE}|${VAGUE.toUpperCase()})(?![a-z])|(?<=^|[a-z\d_]|\b|[A-Z])(?:${capitalised(VAGUE)})(?![a-z])`,
  "g",
);
/** Names that may have such a word: those of dashboard.v1, and of a value of messages that agents send. */
const ALLOWED: ReadonlySet<string> = new Set(["GitopsWish", "askedAt", "said", "wish"]);
/** Of all sources together: names of the wire, and sentences in which the word is right. */
const MAX_WORDS = 500;

/** How often sources have the words, and which names have one. */
export interface VagueWords {
  readonly count: number;
  /** Distinct identifiers, sorted. */
  readonly identifiers: readonly string[];
  /** Paths of the files whose name has one. */
  readonly files: readonly string[];
}

/** How often a text has one of the words, alone or as a part of a name in camelCase, snake_case or kebab-case. */
export function vagueWords(text: string): number {
  return text.match(VAGUE_WORD)?.length ?? 0;
}

/** The words of all sources of apps and packages. */
export function vagueWordsOf(tree: SourceTree): VagueWords {
  const sources = [...tree.texts()].filter(([path]) => WORDED.test(path));
  const identifiers = new Set(sources.flatMap(([path, text]) => vagueIdentifiers(path, text)));
  return {
    count: sources.reduce((sum, [, text]) => sum + vagueWords(text), 0),
    identifiers: [...identifiers].toSorted(),
    files: sources.map(([path]) => path).filter((path) => vagueWords(path.slice(path.lastIndexOf("/") + 1)) > 0),
  };
}

/** A line for each name that has such a word, and one when the sources have too many. */
export function vagueWordProblems(tree: SourceTree): string[] {
  const { count, identifiers, files } = vagueWordsOf(tree);
  const instead = "use a standard word (docs/design/conventions.md)";
  return [
    ...identifiers.filter((name) => !ALLOWED.has(name)).map((name) => `the name ${name} has a vague word: ${instead}`),
    ...files.map((path) => `${path} has a vague word in its name: ${instead}`),
    ...(count > MAX_WORDS ? [`sources have ${count} vague words, at most ${MAX_WORDS} are allowed: ${instead}`] : []),
  ];
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

function capitalised(words: string): string {
  return words.replaceAll(/(^|\|)(\w)/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`);
}
