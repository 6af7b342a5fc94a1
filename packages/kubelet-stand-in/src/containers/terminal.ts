import type { ByteSink, ByteSource } from "../streams/byte-streams.ts";

/** Size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Typed bytes that no process has read yet; more are dropped, as a tty does. */
const MAX_QUEUE_BYTES = 64 * 1024;
const MAX_LINE = 4096;

const BACKSPACE = new Set(["\u007f", "\b"]);

/**
 * A terminal with the line discipline of a tty in canonical mode: echo, erase (Backspace), kill line (^U), erase word (^W), interrupt (^C),
 * end of file (^D), and `\n` written as `\r\n`.
 */
export class Terminal implements ByteSource, ByteSink {
  readonly #output: ByteSink;
  readonly #decoder = new TextDecoder();
  /** Lines that were typed ahead; `undefined` stands for ^D. */
  #queue: (Buffer | undefined)[] = [];
  #queued = 0;
  #isHungUp = false;
  #reader: (() => void) | undefined;
  #line: string[] = [];
  #escape: "none" | "started" | "sequence" = "none";
  #size: TerminalSize;
  #interrupt = new AbortController();

  constructor(output: ByteSink, size: TerminalSize = { columns: 80, rows: 24 }) {
    this.#output = output;
    this.#size = size;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  /** SIGWINCH: programs ask for the size when they need it. */
  resize(size: TerminalSize): void {
    this.#size = size;
  }

  /** Aborts at the next ^C; a new one for each command in the foreground. */
  foreground(): AbortSignal {
    this.#interrupt = new AbortController();
    return this.#interrupt.signal;
  }

  /** Takes what the user types until the source ends, then hangs up. */
  async consume(source: ByteSource): Promise<void> {
    for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) {
      const echo = Array.from(this.#decoder.decode(chunk, { stream: true }))
        .map((character) => this.#type(character))
        .join("");
      if (echo !== "") await this.#output.write(echo);
    }
    this.hangUp();
  }

  /** The user's side is gone: reads end, and what runs is interrupted. */
  hangUp(): void {
    this.#isHungUp = true;
    this.#wake();
  }

  /** A line, or what was typed of it before ^D. `undefined` for ^D on an empty line, at an interrupt, and after the end. */
  async read(): Promise<Buffer | undefined> {
    const { signal } = this.#interrupt;
    while (this.#queue.length === 0 && !signal.aborted) {
      if (this.#isHungUp) return undefined;
      await new Promise<void>((resolve) => (this.#reader = resolve));
    }
    // What was typed after ^C is for the shell, not for the program that ^C ended.
    if (signal.aborted) return undefined;
    const chunk = this.#queue.shift();
    this.#queued -= chunk?.length ?? 0;
    return chunk;
  }

  get isHungUp(): boolean {
    return this.#isHungUp;
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    await this.#output.write(bytes.includes(0x0a) ? Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1") : bytes);
  }

  /** Handles one typed character; returns what is echoed. */
  #type(character: string): string {
    if (this.#escape !== "none" || character === "\u001b") return this.#escaped(character);
    if (character === "\r" || character === "\n") return this.#enter();
    if (character === "\u0003") {
      this.#line = [];
      this.#queue = [];
      this.#queued = 0;
      this.#interrupt.abort();
      this.#wake();
      return "^C\r\n";
    }
    if (character === "\u0004") return this.#endOfFile();
    if (BACKSPACE.has(character)) return this.#line.pop() === undefined ? "" : "\b \b";
    if (character === "\u0015") return this.#erase(this.#line.length);
    if (character === "\u0017") return this.#erase(this.#lastWordLength());
    if ((character < " " && character !== "\t") || this.#line.length >= MAX_LINE) return "\u0007";
    this.#line.push(character);
    return character;
  }

  #escaped(character: string): string {
    // Arrow and function keys have no meaning in canonical mode; they are dropped whole.
    if (this.#escape === "none") this.#escape = "started";
    else if (this.#escape === "started") this.#escape = character === "[" || character === "O" ? "sequence" : "none";
    else if (character >= "@") this.#escape = "none";
    return "";
  }

  #enter(): string {
    this.#submit(`${this.#line.join("")}\n`);
    return "\r\n";
  }

  #endOfFile(): string {
    this.#submit(this.#line.length === 0 ? undefined : this.#line.join(""));
    return "";
  }

  #submit(text: string | undefined): void {
    this.#line = [];
    const chunk = text === undefined ? undefined : Buffer.from(text);
    const size = chunk?.length ?? 1;
    if (this.#queued + size > MAX_QUEUE_BYTES || this.#queue.length >= MAX_QUEUE_BYTES / 16) return;
    this.#queue.push(chunk);
    this.#queued += chunk?.length ?? 0;
    this.#wake();
  }

  #wake(): void {
    const wake = this.#reader;
    this.#reader = undefined;
    wake?.();
  }

  /** How many characters the last word has, with the blanks behind it. */
  #lastWordLength(): number {
    const line = this.#line;
    let start = line.length;
    while (start > 0 && line[start - 1]?.trim() === "") start -= 1;
    while (start > 0 && line[start - 1]?.trim() !== "") start -= 1;
    return line.length - start;
  }

  #erase(count: number): string {
    this.#line.length = Math.max(0, this.#line.length - count);
    return "\b \b".repeat(count);
  }
}
