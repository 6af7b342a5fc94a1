import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter, Parser, type CST, type Document, type ParsedNode } from "yaml";

/** Deeper than this nothing of the file is. */
const MAX_DEPTH = 24;
const MAX_PROBLEMS = 100;
/** Words, signs and spaces: a page of people has some thousand. It bounds the time that a hostile file costs everybody in the process. */
const MAX_LEXEMES = 10_000;
const TOO_DEEP = "it is nested too deeply; nothing of the file is deeper than a few keys";

/** A part of the file that cannot be used, and how to fix it. */
export interface TeamFileProblem {
  /** From 1. */
  readonly line: number;
  /** Keys and places down to it, `environments.production.labels`; empty: the file as a whole. */
  readonly path: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
}

/** Keys of maps and places of lists, from the root down. */
export type YamlPath = readonly (string | number)[];

/** A file as data. Its objects have no prototype: a key `__proto__` is a key as any other. */
export interface TeamYaml {
  readonly content: unknown;
  /** The keys of a map as they stand, those that come twice once; empty when it is no map. An object would put numbers first. */
  readonly keysAt: (path: YamlPath) => readonly string[];
  readonly lineOf: (path: YamlPath) => number;
  /** Whether something in there was not read: then the rest of it means something else. */
  readonly isBroken: (path: YamlPath) => boolean;
  readonly problems: readonly TeamFileProblem[];
}

/**
 * Reads one YAML document without what makes YAML dangerous or hard to bound: aliases, merges, tags and keys that are no text are refused
 * where they stand, a key that comes twice holds the first time. What is not YAML at all is one problem. Never throws.
 *
 * @param text bounded by the caller: the work is linear in it
 */
export function readTeamYaml(text: string): TeamYaml {
  const lines = new LineCounter();
  const tokens = tokensOf(text, lines);
  if (tokens === undefined) return nothing({ line: 1, path: "", message: "it says more than is read of one file; nothing of it is read" });
  // What composes them is recursive: brackets by the thousand would end its stack.
  if (isDeep(tokens)) return nothing({ line: 1, path: "", message: TOO_DEEP });
  // Looking for keys that come twice is quadratic there; the walk below does it by a set.
  const composer = new Composer({ uniqueKeys: false, resolveKnownTags: false });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, text.length)];
  const [document, second] = documents;
  const error = document?.errors[0];
  if (error !== undefined) {
    return nothing({ line: lines.linePos(error.pos[0]).line, path: "", message: `this is not YAML: ${firstLineOf(error)}` });
  }
  if (second !== undefined) {
    const { line } = lines.linePos(second.range[0]);
    return nothing({ line, path: "", message: "a second document begins here; the file must be one document" });
  }
  return new Walk(lines).read(document?.contents ?? null);
}

/** @returns `undefined` when there are too many */
function tokensOf(text: string, lines: LineCounter): CST.Token[] | undefined {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) return undefined;
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Whether tokens are nested more deeply than anything that is read. Not recursive. */
function isDeep(tokens: readonly CST.Token[]): boolean {
  let level: CST.Token[] = [...tokens];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * MAX_DEPTH) return true;
    level = level.flatMap(tokensIn);
  }
  return false;
}

function tokensIn(token: CST.Token): CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((each) => each !== undefined && each !== null));
}

/** How a path is written for people. */
export function pathText(path: YamlPath): string {
  return path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`), "");
}

function nothing(problem: TeamFileProblem): TeamYaml {
  return { content: undefined, keysAt: () => [], lineOf: () => problem.line, isBroken: () => true, problems: [problem] };
}

/** One walk over the nodes of a document. */
class Walk {
  readonly #lines: LineCounter;
  readonly #problems: TeamFileProblem[] = [];
  readonly #lineOf = new Map<string, number>();
  readonly #keys = new Map<string, readonly string[]>();
  /** Also everything above what is broken. */
  readonly #broken = new Set<string>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  read(root: ParsedNode | null): TeamYaml {
    const content = this.#plain(root, []);
    return {
      content,
      keysAt: (path) => this.#keys.get(nameOf(path)) ?? [],
      lineOf: (path) => {
        for (let length = path.length; length >= 0; length -= 1) {
          const line = this.#lineOf.get(nameOf(path.slice(0, length)));
          if (line !== undefined) return line;
        }
        return 1;
      },
      isBroken: (path) => this.#broken.has(nameOf(path)),
      problems: this.#problems,
    };
  }

  #plain(node: unknown, path: YamlPath): unknown {
    if (node === null || node === undefined) return null;
    this.#place(node, path);
    if (path.length > MAX_DEPTH) return this.#refuse(path, TOO_DEEP);
    if (isAlias(node)) return this.#refuse(path, `the alias *${node.source} is not followed; write out what it stands for`);
    if (hasTag(node)) return this.#refuse(path, `the tag ${node.tag} is not known; leave it out`);
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item, place) => this.#plain(item, [...path, place]));
    if (!isMap(node)) return this.#refuse(path, "it is neither text, a number, a list nor a map");
    const plain: Record<string, unknown> = Object.create(null);
    const keys = new Set<string>();
    for (const { key, value } of node.items) {
      const name = keyOf(key);
      if (name === undefined) {
        this.#refuse([...path, "?"], "a key must be text", key);
        continue;
      }
      const at = [...path, name];
      if (keys.has(name)) {
        this.#note(
          this.#lineAt(key),
          at,
          `it stands twice; the one in line ${this.#lineOf.get(nameOf(at)) ?? 1} holds, take this one away`,
        );
        continue;
      }
      keys.add(name);
      this.#place(key, at);
      plain[name] = this.#plain(value, at);
      // A value may begin lines below its key; people look for the key.
      this.#place(key, at);
    }
    this.#keys.set(nameOf(path), [...keys]);
    return plain;
  }

  #refuse(path: YamlPath, message: string, node?: unknown): undefined {
    if (node !== undefined) this.#place(node, path);
    this.#note(this.#lineOf.get(nameOf(path)) ?? 1, path, message);
    for (let length = 0; length <= path.length; length += 1) this.#broken.add(nameOf(path.slice(0, length)));
    return undefined;
  }

  #note(line: number, path: YamlPath, message: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ line, path: pathText(path), message });
  }

  #place(node: unknown, path: YamlPath): void {
    this.#lineOf.set(nameOf(path), this.#lineAt(node));
  }

  #lineAt(node: unknown): number {
    const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
    const offset: unknown = Array.isArray(range) ? range[0] : undefined;
    return typeof offset === "number" ? Math.max(1, this.#lines.linePos(offset).line) : 1;
  }
}

function nameOf(path: YamlPath): string {
  return path.join("\0");
}

function hasTag(node: unknown): node is { readonly tag: string } {
  // Nodes without a tag of their own have none here, as nothing is resolved by tags.
  return typeof node === "object" && node !== null && "tag" in node && typeof node.tag === "string" && !CORE_TAGS.has(node.tag);
}

const CORE_TAGS: ReadonlySet<string> = new Set(
  ["map", "seq", "str", "int", "float", "bool", "null"].map((name) => `tag:yaml.org,2002:${name}`),
);

/** As it is written: an environment may be called 007. */
function keyOf(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return typeof key.value === "string" ? key.value : key.source;
}

/** What follows is an excerpt of the file. */
function firstLineOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "").replace(/:$/, "") : "unreadable";
}
