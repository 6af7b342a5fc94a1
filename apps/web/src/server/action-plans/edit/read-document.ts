import { words, type Words } from "@binnacle/words";
import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser, type CST, type ParsedNode } from "yaml";

/** etcd refuses objects beyond 1.5 MiB by default; a document is sent twice, as it was and as it is. */
export const MAX_DOCUMENT_BYTES = 1_000_000;
/** Nothing of Kubernetes is nested more deeply; schemas inside of objects are the deepest. */
const MAX_DEPTH = 100;
/** Signs, words and spaces, which the time to read a document depends on: a line has about seven. A second at most. */
const MAX_LEXEMES = 500_000;

/** What is wrong with a document. */
export interface DocumentProblem {
  /** From 1; 0: of the document as a whole. */
  readonly line: number;
  /** The field; empty: not known. */
  readonly path: string;
  readonly words: Words;
}

/** A YAML document as JSON has it. */
export interface ReadDocument {
  /** Its maps have no prototype. */
  readonly content: Readonly<Record<string, unknown>>;
  /** The line of a field, or of what it would be in. @param path keys and places in lists */
  readonly lineOf: (path: readonly string[]) => number;
}

/**
 * Reads one document of YAML 1.2 that is a map. What JSON does not have is refused where it is: aliases (which can make a small text a large
 * object), tags, keys that are no text and numbers beyond those of JSON; so is a key that comes twice. The work is linear in the text. Never throws.
 */
export function readDocument(text: string): ReadDocument | { readonly problem: DocumentProblem } {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) return whole(words("edit/too-long", { most: MAX_DOCUMENT_BYTES }));
  const lines = new LineCounter();
  const tokens = tokensOf(text, lines);
  if (tokens === "too-long") return whole(words("edit/too-long", { most: MAX_DOCUMENT_BYTES }));
  // What composes them is recursive.
  if (tokens === "too-deep" || isDeep(tokens)) return whole(words("edit/too-deep", { most: MAX_DEPTH }));
  // The composer's own search for keys that come twice is quadratic.
  const composer = new Composer({ uniqueKeys: false, resolveKnownTags: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  const error = document?.errors[0];
  if (error !== undefined) {
    const [sentence = ""] = error.message.split("\n");
    return {
      problem: { line: lines.linePos(error.pos[0]).line, path: "", words: words("edit/not-yaml", { why: sentence.replace(/:$/, "") }) },
    };
  }
  if (second !== undefined) return { problem: { line: lineAt(lines, second.range[0]), path: "", words: words("edit/two-documents") } };
  try {
    const walk = new Walk(lines);
    const content = walk.plain(document?.contents ?? null, []);
    if (!isRecord(content)) return whole(words("edit/no-object"));
    return { content, lineOf: (path) => walk.lineOf(path) };
  } catch (failure) {
    if (failure instanceof Refusal) return { problem: failure.problem };
    throw failure;
  }
}

function whole(why: Words): { readonly problem: DocumentProblem } {
  return { problem: { line: 0, path: "", words: why } };
}

class Refusal extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem) {
    super("a document cannot be read");
    this.problem = problem;
  }
}

/** One walk over the nodes of a document. */
class Walk {
  readonly #lines: LineCounter;
  readonly #lineOf = new Map<string, number>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  lineOf(path: readonly string[]): number {
    for (let length = path.length; length > 0; length -= 1) {
      const line = this.#lineOf.get(nameOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  }

  /** @throws Refusal */
  plain(node: ParsedNode | null, path: readonly string[]): unknown {
    if (node === null) return null;
    const refuse = (why: Words): never => {
      throw new Refusal({ line: lineAt(this.#lines, node.range[0]), path: path.join("."), words: why });
    };
    if (isAlias(node)) return refuse(words("edit/alias", { name: node.source }));
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) return refuse(words("edit/tag", { tag: node.tag }));
    if (isScalar(node)) {
      if (typeof node.value === "number" && !isJsonNumber(node.value)) return refuse(words("edit/number", { number: node.source }));
      return node.value;
    }
    if (isSeq(node)) return node.items.map((item, place) => this.#below(item, [...path, String(place)]));
    if (!isMap(node)) return refuse(words("edit/no-object"));
    const plain: Record<string, unknown> = Object.create(null);
    for (const { key, value } of node.items) {
      const name = keyOf(key);
      if (name === undefined) return refuse(words("edit/key-no-text"));
      const at = [...path, name];
      const line = lineAt(this.#lines, key.range[0]);
      if (Object.hasOwn(plain, name)) throw new Refusal({ line, path: at.join("."), words: words("edit/key-twice", { key: name }) });
      // People look for the key, whose value may begin lines below.
      this.#lineOf.set(nameOf(at), line);
      plain[name] = this.plain(value, at);
    }
    return plain;
  }

  #below(item: ParsedNode, path: readonly string[]): unknown {
    this.#lineOf.set(nameOf(path), lineAt(this.#lines, item.range[0]));
    return this.plain(item, path);
  }
}

const DEEPER: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };

function tokensOf(text: string, lines: LineCounter): CST.Token[] | "too-long" | "too-deep" {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  let brackets = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) return "too-long";
    brackets += DEEPER[lexeme] ?? 0;
    if (brackets > MAX_DEPTH) return "too-deep";
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Not recursive, as the nesting is not known yet. */
function isDeep(tokens: readonly CST.Token[]): boolean {
  let level: CST.Token[] = [...tokens];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap(tokensIn);
  }
  return false;
}

function tokensIn(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((each) => each !== undefined && each !== null));
}

const CORE_TAGS: ReadonlySet<string> = new Set(
  ["map", "seq", "str", "int", "float", "bool", "null"].map((name) => `tag:yaml.org,2002:${name}`),
);

/** JSON has no infinity, and an integer that a double does not hold would be written as another one. */
function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** As it is written: `1:` and `true:` are keys of JSON as any other. */
function keyOf(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === "string" ? key.value : key.source;
}

function lineAt(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line);
}

function nameOf(path: readonly string[]): string {
  return path.join("\0");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
