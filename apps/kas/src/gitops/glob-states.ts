import { Fault } from "@binnacle/rpc";

/** One step of a glob: something that takes one character, or a choice of what comes next, or the end. */
export type GlobState =
  | { readonly kind: "take"; readonly takes: (character: number) => boolean; next: number }
  | { readonly kind: "choice"; readonly next: number[] }
  | { readonly kind: "end" };

const SLASH = 0x2f;
const notSlash = (character: number): boolean => character !== SLASH;
const anything = (): boolean => true;

/**
 * The states of a glob, the first one first. As doublestar (version 2) reads it: `*` and `?` stop at slashes and take leading dots, `**` is
 * any number of directories when it stands alone between slashes and `*` otherwise, `[a-z]` and `[^a-z]` are classes, `{a,b}` are
 * alternatives within one part of the path, and `\` takes the meaning from what follows.
 *
 * @throws Fault `invalid_request`
 */
export function globStates(glob: string): readonly GlobState[] {
  const parser = new GlobParser(glob);
  return parser.states();
}

class GlobParser {
  readonly #glob: string;
  readonly #states: GlobState[] = [];
  /** Of the part of the path that is being read. */
  #characters: readonly string[] = [];
  #at = 0;

  constructor(glob: string) {
    this.#glob = glob;
  }

  /** Backwards: each part needs to know what follows it. */
  states(): readonly GlobState[] {
    let next = this.#add({ kind: "end" });
    const parts = partsOf(this.#glob);
    for (const [index, part] of [...parts.entries()].toReversed()) {
      const isLast = index === parts.length - 1;
      if (part === "**") next = isLast ? this.#manyOf(anything, next) : this.#directories(next);
      else next = this.#part(part, isLast ? next : this.#add({ kind: "take", takes: (character) => character === SLASH, next }));
    }
    this.#states.push({ kind: "choice", next: [next] });
    return this.#states.toReversed().map((state) => renumbered(state, this.#states.length - 1));
  }

  #add(state: GlobState): number {
    return this.#states.push(state) - 1;
  }

  /** One or more. */
  #manyOf(takes: (character: number) => boolean, next: number): number {
    const choice = { kind: "choice" as const, next: [next] };
    const again = this.#add(choice);
    const first = this.#add({ kind: "take", takes, next: again });
    choice.next.push(first);
    return first;
  }

  /** No directory, or some, each with its slash. */
  #directories(next: number): number {
    const choice = { kind: "choice" as const, next: [next] };
    const again = this.#add(choice);
    choice.next.push(this.#manyOf(notSlash, this.#add({ kind: "take", takes: (character) => character === SLASH, next: again })));
    return again;
  }

  #part(part: string, next: number): number {
    this.#characters = Array.from(part);
    this.#at = 0;
    const tokens = this.#tokens(false);
    return this.#sequence(tokens, next);
  }

  #sequence(tokens: readonly Token[], after: number): number {
    let next = after;
    for (const token of tokens.toReversed()) {
      if (token.kind === "one") next = this.#add({ kind: "take", takes: token.takes, next });
      else if (token.kind === "star") next = this.#add({ kind: "choice", next: [next, this.#manyOf(notSlash, next)] });
      else next = this.#add({ kind: "choice", next: token.alternatives.map((each) => this.#sequence(each, next)) });
    }
    return next;
  }

  /** Reads until the end, or until the comma or brace that ends an alternative. */
  #tokens(isAlternative: boolean): Token[] {
    const tokens: Token[] = [];
    while (this.#at < this.#characters.length) {
      const character = this.#characters[this.#at] ?? "";
      if (isAlternative && (character === "," || character === "}")) return tokens;
      this.#at += 1;
      // Two stars are one.
      if (character !== "*" || tokens.at(-1)?.kind !== "star") tokens.push(this.#token(character));
    }
    if (isAlternative) throw this.#mistake("a { has no } before the next slash");
    return tokens;
  }

  #token(character: string): Token {
    switch (character) {
      case "*":
        return { kind: "star" };
      case "?":
        return { kind: "one", takes: notSlash };
      case "[":
        return { kind: "one", takes: this.#class() };
      case "{":
        return { kind: "alternatives", alternatives: this.#alternatives() };
      default: {
        const wanted = codeOf(character === "\\" ? this.#escaped() : character);
        return { kind: "one", takes: (other) => other === wanted };
      }
    }
  }

  #alternatives(): Token[][] {
    const alternatives: Token[][] = [];
    do {
      alternatives.push(this.#tokens(true));
      this.#at += 1;
    } while (this.#characters[this.#at - 1] === ",");
    return alternatives;
  }

  #class(): (character: number) => boolean {
    const isNegated = ["^", "!"].includes(this.#characters[this.#at] ?? "");
    if (isNegated) this.#at += 1;
    const ranges: (readonly [number, number])[] = [];
    while (this.#characters[this.#at] !== "]" || ranges.length === 0) {
      const from = this.#classCharacter();
      const isRange = this.#characters[this.#at] === "-" && this.#characters[this.#at + 1] !== "]";
      if (isRange) this.#at += 1;
      ranges.push([from, isRange ? this.#classCharacter() : from]);
    }
    this.#at += 1;
    return (character) => notSlash(character) && ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
  }

  #classCharacter(): number {
    const character = this.#characters[this.#at];
    if (character === undefined) throw this.#mistake("a [ has no ] before the next slash");
    this.#at += 1;
    return codeOf(character === "\\" ? this.#escaped() : character);
  }

  #escaped(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw this.#mistake("nothing follows a \\");
    this.#at += 1;
    return character;
  }

  #mistake(why: string): Fault {
    return new Fault("invalid_request", `the glob "${this.#glob}" cannot be read: ${why}`);
  }
}

type Token =
  | { readonly kind: "one"; readonly takes: (character: number) => boolean }
  | { readonly kind: "star" }
  | { readonly kind: "alternatives"; readonly alternatives: readonly (readonly Token[])[] };

/** Splits at slashes that no `\` stands before. */
function partsOf(glob: string): readonly string[] {
  const parts = [""];
  let isEscaped = false;
  for (const character of glob) {
    if (character === "/" && !isEscaped) parts.push("");
    else parts[parts.length - 1] += character;
    isEscaped = character === "\\" && !isEscaped;
  }
  return parts;
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function renumbered(state: GlobState, last: number): GlobState {
  if (state.kind === "take") return { ...state, next: last - state.next };
  return state.kind === "choice" ? { ...state, next: state.next.map((next) => last - next) } : state;
}
