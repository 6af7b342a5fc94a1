import { isAscii } from "node:buffer";
import { createHash, hash, type Hash } from "node:crypto";

import { LogTimes } from "./log-time.ts";

/** A line with the time that the container runtime gave it. */
export interface TimedLine {
  readonly timeNanos: bigint;
  /** Without its line end. Bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
  /** How many bytes were cut off its end. */
  readonly cutBytes: number;
  /** Bytes of the line with its time and line end. */
  readonly bytes: number;
  /** First bytes of the SHA-256 of the line; present when its text does not give it. */
  readonly hash: Uint8Array | undefined;
}

/** What stands in a log: a line with a time, or words of the kubelet without one. */
export type SplitLine = TimedLine | { readonly notice: string };

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
/** "2006-01-02T15:04:05.999999999+00:00", and more than any writes. */
const MAX_TIME_BYTES = 40;
const HASH_BYTES = 8;
const MAX_NOTICE_CHARS = 500;
const REPLACEMENT = "\u{fffd}";

/** First 8 bytes of the SHA-256 of a line without its time and line end. */
export function hashOf({ text, hash: known }: Pick<TimedLine, "text" | "hash">): Uint8Array {
  return known ?? hash("sha256", text, "buffer").subarray(0, HASH_BYTES);
}

/**
 * Splits the bytes of a log with timestamps into lines. Of a line at most `lineBytes` are retained; the rest is counted and hashed as it comes.
 */
export class LogLineSplitter {
  readonly #lineBytes: number;
  readonly #times = new LogTimes();
  /** The beginning of a line whose end has not come. */
  #retained: Uint8Array[] = [];
  #retainedBytes = 0;
  /** Bytes of that line beyond what is retained, and their hash with the retained text before them. */
  #restBytes = 0;
  #restHash: Hash | undefined;
  /** The last byte of the rest, which is a part of the line end when it is a carriage return. */
  #heldReturn = false;

  constructor(lineBytes: number) {
    this.#lineBytes = lineBytes;
  }

  /** Whether a line has begun and not ended. */
  get isInLine(): boolean {
    return this.#retainedBytes > 0;
  }

  /** Lines that this chunk completes, in order, one at a time: take all of them before the next chunk. */
  *linesOf(chunk: Uint8Array): Generator<SplitLine, void, void> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // Of ASCII a character is a byte, so that lines are found in one text.
    const text = isAscii(bytes) ? bytes.toString("latin1") : undefined;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = text === undefined ? bytes.indexOf(NEWLINE, start) : text.indexOf("\n", start)) {
      const [from, isComplete] = [start, this.#retainedBytes === 0 && end - start <= this.#lineBytes];
      start = end + 1;
      if (isComplete) {
        const line = text === undefined ? undefined : this.#asciiLine({ bytes, text }, from, end);
        yield line ?? this.#lineOf(bytes.subarray(from, end), start - from);
        continue;
      }
      this.#append(bytes.subarray(from, end));
      yield this.#take(1);
    }
    if (start < chunk.length) this.#append(chunk.slice(start));
  }

  /** A line without its line end, which stands at these places of a text and of its bytes; `undefined`: not one with a time. */
  #asciiLine({ bytes, text }: { readonly bytes: Buffer; readonly text: string }, from: number, to: number): TimedLine | undefined {
    const space = text.indexOf(" ", from);
    if (space < 0 || space >= Math.min(to, from + MAX_TIME_BYTES)) return undefined;
    const timeNanos = this.#times.parse(text.slice(from, space));
    if (timeNanos === undefined) return undefined;
    const end = text.charCodeAt(to - 1) === CARRIAGE_RETURN ? to - 1 : to;
    // A slice of the text would retain all of it.
    return { timeNanos, text: bytes.toString("latin1", space + 1, end), cutBytes: 0, bytes: to - from + 1, hash: undefined };
  }

  /** The line that has begun, for a log that ends without a line end. */
  end(): SplitLine | undefined {
    return this.isInLine ? this.#take(0) : undefined;
  }

  #append(part: Uint8Array): void {
    const room = this.#lineBytes + MAX_TIME_BYTES - this.#retainedBytes;
    const retained = part.subarray(0, Math.max(0, room));
    if (retained.length > 0) {
      this.#retained.push(retained);
      this.#retainedBytes += retained.length;
    }
    const rest = part.subarray(retained.length);
    if (rest.length === 0) return;
    this.#restHash ??= this.#hashRetained();
    if (this.#heldReturn) this.#restHash.update("\r");
    this.#heldReturn = rest.at(-1) === CARRIAGE_RETURN;
    this.#restHash.update(this.#heldReturn ? rest.subarray(0, -1) : rest);
    this.#restBytes += rest.length;
  }

  #hashRetained(): Hash {
    const line = Buffer.concat(this.#retained);
    return createHash("sha256").update(line.subarray(textStart(line)));
  }

  #take(endBytes: number): SplitLine {
    const line = Buffer.concat(this.#retained, this.#retainedBytes);
    const [restBytes, restHash] = [this.#restBytes, this.#restHash];
    const returns = this.#heldReturn ? 1 : 0;
    this.#retained = [];
    this.#retainedBytes = this.#restBytes = 0;
    this.#restHash = undefined;
    this.#heldReturn = false;
    const bytes = line.length + restBytes + endBytes;
    if (restHash === undefined) return this.#lineOf(line, bytes);
    return this.#lineOf(line, bytes, { bytes: restBytes - returns, hash: restHash.digest().subarray(0, HASH_BYTES) });
  }

  #lineOf(line: Uint8Array, bytes: number, rest?: { readonly bytes: number; readonly hash: Uint8Array }): SplitLine {
    const buffer = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    const start = textStart(buffer);
    const timeNanos = this.#times.parse(buffer.toString("latin1", 0, Math.max(0, start - 1)));
    if (timeNanos === undefined) return { notice: buffer.toString("utf8", 0, MAX_NOTICE_CHARS) };
    const end = rest === undefined && buffer.at(-1) === CARRIAGE_RETURN ? buffer.length - 1 : buffer.length;
    const shownEnd = end - start > this.#lineBytes ? completeCharacters(buffer, start + this.#lineBytes) : end;
    const text = buffer.toString("utf8", start, shownEnd);
    const cutBytes = end - shownEnd + (rest?.bytes ?? 0);
    const isExact = cutBytes === 0 && !text.includes(REPLACEMENT);
    const known = isExact ? undefined : (rest?.hash ?? hash("sha256", buffer.subarray(start, end), "buffer").subarray(0, HASH_BYTES));
    return { timeNanos, text, cutBytes, bytes, hash: known };
  }
}

/** Behind the space after the time; behind the line when there is none. */
function textStart(line: Buffer): number {
  const space = line.subarray(0, MAX_TIME_BYTES).indexOf(SPACE);
  return space < 0 ? Math.min(line.length, MAX_TIME_BYTES) + 1 : space + 1;
}

/** The index at or before `end` that does not cut a UTF-8 character. */
function completeCharacters(buffer: Buffer, end: number): number {
  let at = end;
  while (at > end - 4 && ((buffer[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
