import { parseSync, Visitor, type Expression, type Node } from "oxc-parser";

/** A plural that code makes, where a message of the catalogue should have it. */
export interface PluralInCode {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Functions that take the id of a message first. */
const RENDERERS: ReadonlySet<string> = new Set(["t", "tElements", "tLater", "tLaterElements", "words"]);

/** Verbs and pronouns whose plural is another word. */
const IRREGULAR: Readonly<Record<string, string>> = { is: "are", was: "were", has: "have", does: "do", it: "them", its: "their" };

/** Schemes of URLs, whose other form is that with TLS. */
const SCHEMES: ReadonlySet<string> = new Set(["grpc", "http", "ws"]);

/** A number before a noun: `1` or a placeholder. */
const COUNT = /^(?:1|\{\}) /;

/**
 * Plurals in the code of a file, in order: a choice between a word and its plural, a choice between two messages by whether a number is 1, and
 * `+ "s"`. With `isPage` also a number before a noun in the plural, such as `${count} pods`.
 */
export function pluralsOf(path: string, source: string, { isPage = false } = {}): PluralInCode[] {
  const found: PluralInCode[] = [];
  const report = ({ start, end }: Node): void => {
    found.push({ line: source.slice(0, start).split("\n").length, text: source.slice(start, end).replaceAll(/\s+/g, " ") });
  };
  new Visitor({
    ConditionalExpression(node) {
      const [one, other] = [textOf(node.consequent), textOf(node.alternate)];
      if (one !== undefined && other !== undefined) {
        if (isPlural(one, other) || isPlural(other, one) || (comparesWithOne(node.test) && isId(one) && isId(other))) report(node);
      } else if (comparesWithOne(node.test) && rendersMessage(node.consequent) && rendersMessage(node.alternate)) report(node);
    },
    BinaryExpression(node) {
      if (node.operator === "+" && /^e?s$/.test(textOf(node.right) ?? "")) report(node);
    },
    TemplateLiteral(node) {
      if (isPage && node.quasis.slice(1).some(({ value }) => /^ [a-z]{2,}s\b(?!\/)/.test(value.raw))) report(node);
    },
  }).visit(parseSync(path, source).program);
  return found.toSorted((left, right) => left.line - right.line);
}

/** The text of a literal, with `{}` for each placeholder. */
function textOf(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  return node.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.cooked ?? "").join("{}") : undefined;
}

/** Whether both are the same words, but for a number and for the plural of at least one word or a number before it. */
function isPlural(one: string, other: string): boolean {
  const singular = one.replace(COUNT, "").split(" ");
  const plural = other.replace(COUNT, "").split(" ");
  if (singular.length !== plural.length || !/\p{L}{2}/u.test(one)) return false;
  const differing = singular.flatMap((word, index) => (word === plural[index] ? [] : [[word, plural[index] ?? ""] as const]));
  return differing.length === 0 ? one !== other : differing.every(([word, words]) => isPluralOfWord(words, word));
}

function isPluralOfWord(words: string, word: string): boolean {
  if (!/^\p{L}{2,}$/u.test(word) || SCHEMES.has(word)) return false;
  return [`${word}s`, `${word}es`, word.replace(/y$/, "ies"), IRREGULAR[word]].includes(words);
}

function isId(text: string): boolean {
  return /^[a-z][\w-]*(?:\/[\w-]+)+$/.test(text);
}

function comparesWithOne(test: Expression): boolean {
  return test.type === "BinaryExpression" && [test.left, test.right].some((side) => side.type === "Literal" && side.value === 1);
}

function rendersMessage(node: Expression): boolean {
  return node.type === "CallExpression" && node.callee.type === "Identifier" && RENDERERS.has(node.callee.name);
}
