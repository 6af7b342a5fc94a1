import { parseWatchEvent, type WatchEvent } from "./watch-event.ts";

const NEWLINE = 10;
/** etcd refuses objects beyond 1.5 MiB by default; a line this long is not a watch. */
const DEFAULT_MAX_LINE_BYTES = 32 * 1024 * 1024;

/** A watch line that is not JSON, or longer than the limit. The stream cannot be continued after it. */
export class WatchLineError extends Error {
  override readonly name = "WatchLineError";
}

/**
 * Splits the bytes of a watch into events. Bytes are cut at byte 10 before they are decoded, so a character that is torn
 * between two chunks stays whole; only a line's own bytes are kept between calls.
 */
export class WatchLineSplitter {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #maxLineBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(options: { readonly maxLineBytes?: number } = {}) {
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  /**
   * Events completed by this chunk, in order. Lines of an unknown type are left out, empty lines too.
   *
   * @throws WatchLineError for a line that is not JSON or is too long
   */
  push(chunk: Uint8Array): WatchEvent[] {
    return [...this.eventsOf(chunk)];
  }

  /**
   * As `push`, one event at a time: an object is parsed when it is read, so that a reader who keeps little of each never
   * holds two of them in full. Take all events of a chunk before the next one.
   *
   * @throws WatchLineError for a line that is not JSON or is too long
   */
  *eventsOf(chunk: Uint8Array): Generator<WatchEvent, void, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      const event = this.#parse(this.#take());
      if (event) yield event;
    }
    // A copy: the transport may reuse the chunk's memory, and a view would keep all of it alive.
    if (start < chunk.length) this.#keep(chunk.slice(start));
  }

  /** Bytes of an unfinished line; more than 0 at the end of a stream means that it was torn. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxLineBytes) throw new WatchLineError(`a watch line is longer than ${this.#maxLineBytes} bytes`);
    this.#parts.push(part);
  }

  #take(): Uint8Array {
    const [only] = this.#parts;
    const line = this.#parts.length === 1 && only ? only : concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }

  #parse(line: Uint8Array): WatchEvent | undefined {
    if (line.length === 0 || (line.length === 1 && line[0] === 13)) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(this.#decoder.decode(line));
    } catch (error) {
      throw new WatchLineError("a watch line is not JSON", { cause: error });
    }
    return parseWatchEvent(value);
  }
}

function concat(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const joined = new Uint8Array(bytes);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
