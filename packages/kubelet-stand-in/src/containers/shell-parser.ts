/** A part of a word. Quoted parts are not split into fields. */
type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "variable"; readonly name: string; readonly fallback: string | undefined; readonly quoted: boolean }
  | { readonly kind: "command"; readonly script: Script; readonly quoted: boolean };

/** Text of a script between blanks. */
export type Word = readonly WordPart[];

/** `>`, `>>`, `<` with a file, or `2>&1`. */
export interface Redirection {
  readonly descriptor: number;
  readonly kind: ">" | ">>" | "<" | ">&";
  readonly target: Word;
}

/** What a pipeline is made of. */
export type Command =
  | { readonly kind: "simple"; readonly words: readonly Word[]; readonly redirections: readonly Redirection[] }
  | { readonly kind: "group"; readonly body: Script; readonly subshell: boolean; readonly redirections: readonly Redirection[] }
  | { readonly kind: "if"; readonly branches: readonly { readonly test: Script; readonly body: Script }[]; readonly otherwise: Script }
  | { readonly kind: "while"; readonly test: Script; readonly body: Script; readonly until: boolean }
  | { readonly kind: "for"; readonly name: string; readonly words: readonly Word[]; readonly body: Script };

/** Commands joined by `|`. */
export interface Pipeline {
  readonly commands: readonly Command[];
  readonly negated: boolean;
}

/** Pipelines joined by `&&` and `||`. */
export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: "&&" | "||"; readonly pipeline: Pipeline }[];
}

/** A list of commands. */
export type Script = readonly AndOr[];

/** The text is no script. `incomplete` is true when more lines may make it one. */
export class SyntaxFault extends Error {
  readonly incomplete: boolean;

  constructor(message: string, incomplete = false) {
    super(message);
    this.name = "SyntaxFault";
    this.incomplete = incomplete;
  }
}

const MAX_DEPTH = 50;
const OPERATORS = ["&&", "||", ";;", ";", "|", "(", ")", "\n", "&"] as const;
const RESERVED = new Set(["then", "else", "elif", "fi", "do", "done", "}"]);

/** Parses a script of the POSIX shell's common subset. @throws SyntaxFault */
export function parseScript(text: string): Script {
  const parser = new Parser(text, 0);
  const script = parser.list(new Set());
  parser.expectEnd();
  return script;
}

class Parser {
  readonly #text: string;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, depth: number) {
    if (depth > MAX_DEPTH) throw new SyntaxFault("nested too deeply");
    this.#text = text;
    this.#depth = depth;
  }

  expectEnd(): void {
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  list(until: ReadonlySet<string>, depth = this.#depth): Script {
    if (depth > MAX_DEPTH) throw new SyntaxFault("nested too deeply");
    const script: AndOr[] = [];
    for (;;) {
      this.#skipSeparators();
      if (this.#at >= this.#text.length || this.#text[this.#at] === ")" || until.has(this.#keyword())) return script;
      script.push(this.#andOr(depth));
      const operator = this.#operator();
      if (operator === "&") throw new SyntaxFault("background jobs are not supported by this simulated shell");
      if (operator === ";" || operator === "\n") this.#at += 1;
      else if (operator !== undefined && operator !== ")") throw this.#unexpected();
    }
  }

  #andOr(depth: number): AndOr {
    const first = this.#pipeline(depth);
    const rest: { operator: "&&" | "||"; pipeline: Pipeline }[] = [];
    for (let operator = this.#operator(); operator === "&&" || operator === "||"; operator = this.#operator()) {
      this.#at += 2;
      this.#skipSeparators("\n");
      rest.push({ operator, pipeline: this.#pipeline(depth) });
    }
    return { first, rest };
  }

  #pipeline(depth: number): Pipeline {
    const negated = this.#keyword() === "!";
    if (negated) this.#take("!");
    const commands = [this.#command(depth)];
    while (this.#operator() === "|") {
      this.#at += 1;
      this.#skipSeparators("\n");
      commands.push(this.#command(depth));
    }
    return { commands, negated };
  }

  #command(depth: number): Command {
    this.#skipBlanks();
    if (this.#text[this.#at] === "(") {
      this.#at += 1;
      const body = this.list(new Set(), depth + 1);
      this.#takeText(")");
      return { kind: "group", body, subshell: true, redirections: this.#simple().redirections };
    }
    switch (this.#keyword()) {
      case "{": {
        this.#take("{");
        const body = this.list(new Set(["}"]), depth + 1);
        this.#take("}");
        return { kind: "group", body, subshell: false, redirections: this.#simple().redirections };
      }
      case "if":
        return this.#if(depth);
      case "while":
      case "until":
        return this.#while(depth);
      case "for":
        return this.#for(depth);
      default: {
        if (RESERVED.has(this.#keyword())) throw this.#unexpected();
        const simple = this.#simple();
        if (simple.words.length === 0 && simple.redirections.length === 0) throw this.#unexpected();
        return simple;
      }
    }
  }

  #if(depth: number): Command {
    const branches: { test: Script; body: Script }[] = [];
    this.#take("if");
    for (;;) {
      const test = this.list(new Set(["then"]), depth + 1);
      this.#take("then");
      branches.push({ test, body: this.list(new Set(["elif", "else", "fi"]), depth + 1) });
      if (this.#keyword() !== "elif") break;
      this.#take("elif");
    }
    let otherwise: Script = [];
    if (this.#keyword() === "else") {
      this.#take("else");
      otherwise = this.list(new Set(["fi"]), depth + 1);
    }
    this.#take("fi");
    return { kind: "if", branches, otherwise };
  }

  #while(depth: number): Command {
    const until = this.#keyword() === "until";
    this.#take(until ? "until" : "while");
    const test = this.list(new Set(["do"]), depth + 1);
    return { kind: "while", test, until, body: this.#loopBody(depth) };
  }

  #for(depth: number): Command {
    this.#take("for");
    const name = this.#keyword();
    if (!/^[A-Za-z_]\w*$/.test(name)) throw this.#unexpected();
    this.#take(name);
    this.#take("in");
    const { words } = this.#simple();
    this.#skipSeparators();
    return { kind: "for", name, words, body: this.#loopBody(depth) };
  }

  #loopBody(depth: number): Script {
    this.#take("do");
    const body = this.list(new Set(["done"]), depth + 1);
    this.#take("done");
    return body;
  }

  #simple(): Command & { readonly kind: "simple" } {
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      this.#skipBlanks();
      const redirection = this.#redirection();
      if (redirection !== undefined) redirections.push(redirection);
      else if (this.#at >= this.#text.length || this.#operator() !== undefined) return { kind: "simple", words, redirections };
      else words.push(this.#word());
    }
  }

  #redirection(): Redirection | undefined {
    const match = /^(\d?)(>>|>&|>|<)/.exec(this.#text.slice(this.#at, this.#at + 3));
    if (match === null) return undefined;
    this.#at += match[0].length;
    this.#skipBlanks();
    // The expression has no other alternative.
    const kind = match[2] as Redirection["kind"];
    const target = this.#word();
    if (target.length === 0) throw this.#unexpected();
    return { descriptor: match[1] === "" ? (kind === "<" ? 0 : 1) : Number(match[1]), kind, target };
  }

  #word(): Word {
    const parts: WordPart[] = [];
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || /[\s<>]/.test(character) || this.#operator(false) !== undefined) return parts;
      if (character === "'") parts.push({ kind: "text", text: this.#until("'", 1), quoted: true });
      else if (character === '"') parts.push({ kind: "text", text: "", quoted: true }, ...this.#doubleQuoted());
      else if (character === "\\") {
        const next = this.#text[this.#at + 1];
        if (next === undefined) throw new SyntaxFault("unexpected end of file", true);
        this.#at += 2;
        if (next !== "\n") parts.push({ kind: "text", text: next, quoted: true });
      } else if (character === "$" || character === "`") parts.push(this.#expansion(false));
      else {
        parts.push({ kind: "text", text: character, quoted: false });
        this.#at += 1;
      }
    }
  }

  #doubleQuoted(): WordPart[] {
    const parts: WordPart[] = [];
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new SyntaxFault("unterminated quoted string", true);
      if (character === '"') {
        this.#at += 1;
        return parts;
      }
      if (character === "$" || character === "`") parts.push(this.#expansion(true));
      else {
        const escaped = character === "\\" && /["$`\\]/.test(this.#text[this.#at + 1] ?? "");
        parts.push({ kind: "text", text: escaped ? (this.#text[this.#at + 1] ?? "") : character, quoted: true });
        this.#at += escaped ? 2 : 1;
      }
    }
  }

  #expansion(quoted: boolean): WordPart {
    if (this.#text[this.#at] === "`")
      return { kind: "command", script: new Parser(this.#until("`", 1), this.#depth + 1).list(new Set()), quoted };
    const rest = this.#text.slice(this.#at + 1);
    if (rest.startsWith("((")) throw new SyntaxFault("arithmetic is not supported by this simulated shell");
    if (rest.startsWith("(")) {
      this.#at += 2;
      const script = this.list(new Set(), this.#depth + 1);
      this.#takeText(")");
      return { kind: "command", script, quoted };
    }
    const braced = /^\{([A-Za-z_]\w*|[?#@*$\d])(?::?-([^}]*))?\}/.exec(rest);
    const plain = /^(?:[A-Za-z_]\w*|[?#@*$\d])/.exec(rest);
    const match = braced ?? plain;
    this.#at += 1 + (match?.[0].length ?? 0);
    if (match === null) return { kind: "text", text: "$", quoted };
    return { kind: "variable", name: braced?.[1] ?? match[0], fallback: braced?.[2], quoted };
  }

  #until(end: string, skip: number): string {
    const start = this.#at + skip;
    const stop = this.#text.indexOf(end, start);
    if (stop < 0) throw new SyntaxFault("unterminated quoted string", true);
    this.#at = stop + 1;
    return this.#text.slice(start, stop);
  }

  #operator(skipBlanks = true): (typeof OPERATORS)[number] | undefined {
    if (skipBlanks) this.#skipBlanks();
    return OPERATORS.find((operator) => this.#text.startsWith(operator, this.#at));
  }

  #keyword(): string {
    this.#skipBlanks();
    return /^[^\s;|&()<>'"$`]+/.exec(this.#text.slice(this.#at, this.#at + 64))?.[0] ?? "";
  }

  #take(keyword: string): void {
    if (this.#keyword() !== keyword) throw this.#unexpected();
    this.#at += keyword.length;
  }

  #takeText(text: string): void {
    this.#skipSeparators();
    if (!this.#text.startsWith(text, this.#at)) throw this.#unexpected();
    this.#at += text.length;
  }

  #skipBlanks(): void {
    while (/[ \t\r]/.test(this.#text[this.#at] ?? "")) this.#at += 1;
    if (this.#text[this.#at] === "#" && /\s|^$/.test(this.#text[this.#at - 1] ?? "")) {
      while (this.#at < this.#text.length && this.#text[this.#at] !== "\n") this.#at += 1;
    }
  }

  #skipSeparators(separators = ";\n"): void {
    for (this.#skipBlanks(); separators.includes(this.#text[this.#at] ?? "none"); this.#skipBlanks()) {
      if (this.#text[this.#at] === ";" && this.#text[this.#at + 1] === ";") throw this.#unexpected();
      this.#at += 1;
    }
  }

  #unexpected(): SyntaxFault {
    if (this.#at >= this.#text.length) return new SyntaxFault("unexpected end of file", true);
    const near = this.#operator() ?? this.#text.slice(this.#at).split(/\s/)[0];
    return new SyntaxFault(`unexpected "${near === "\n" ? "newline" : (near?.slice(0, 20) ?? "")}"`);
  }
}
