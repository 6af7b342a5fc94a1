/** Bytes to be read in order. Reads do not overlap. */
export interface ByteSource {
  /** The next bytes (never empty); `undefined` at the end. */
  read(): Promise<Buffer | undefined>;
}

/** Where bytes are written in order. */
export interface ByteSink {
  /**
   * Resolves when there is room for more.
   *
   * @throws BrokenPipe when the reader is gone
   */
  write(chunk: Uint8Array | string): Promise<void>;
}

/** The reader of a pipe or the peer of a connection is gone. */
export class BrokenPipe extends Error {
  constructor() {
    super("write: broken pipe");
    this.name = "BrokenPipe";
  }
}

/** A source that is at its end. */
export const NO_INPUT: ByteSource = { read: () => Promise.resolve(undefined) };

/** Takes everything and keeps nothing. */
export const NO_OUTPUT: ByteSink = { write: () => Promise.resolve() };

const CAPACITY_BYTES = 64 * 1024;

/** A bounded queue of bytes between one writer and one reader. */
export class Pipe implements ByteSource, ByteSink {
  readonly #capacity: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #ended = false;
  #broken = false;
  #reader: (() => void) | undefined;
  #writers: (() => void)[] = [];

  /** @param capacity bytes that wait before a write does */
  constructor(capacity = CAPACITY_BYTES) {
    this.#capacity = capacity;
  }

  /** Bytes that wait to be read. */
  get size(): number {
    return this.#size;
  }

  /** True when a write would wait. */
  get isFull(): boolean {
    return this.#size >= this.#capacity;
  }

  /** True when bytes are not kept any more. */
  private get isBroken(): boolean {
    return this.#broken;
  }

  get isClosed(): boolean {
    return this.#ended || this.#broken;
  }

  /** Adds bytes whatever the capacity; ignored after the end. */
  push(chunk: Buffer): void {
    if (this.isClosed || chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#wakeReader();
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    if (this.isClosed) throw new BrokenPipe();
    this.push(typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    await this.room();
    // The reader may have gone while this waited.
    if (this.isBroken) throw new BrokenPipe();
  }

  /** Resolves when fewer bytes wait than the capacity, or the reader is gone. */
  async room(): Promise<void> {
    while (this.#size >= this.#capacity && !this.#broken) await new Promise<void>((resolve) => this.#writers.push(resolve));
  }

  async read(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0) {
      if (this.isClosed) return undefined;
      await new Promise<void>((resolve) => (this.#reader = resolve));
    }
    const chunk = this.#chunks.shift();
    this.#size -= chunk?.length ?? 0;
    if (this.#size < this.#capacity) this.#wakeWriters();
    return chunk;
  }

  /** No more bytes come; what waits can still be read. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  /** The reader is gone, or the connection is: nothing is kept, writes fail, reads end. */
  break(): void {
    this.#broken = true;
    this.#chunks = [];
    this.#size = 0;
    this.#wakeReader();
    this.#wakeWriters();
  }

  #wakeReader(): void {
    const wake = this.#reader;
    this.#reader = undefined;
    wake?.();
  }

  #wakeWriters(): void {
    const writers = this.#writers;
    this.#writers = [];
    for (const wake of writers) wake();
  }
}

/** Reads lines and leaves the rest to others, as a shell shares its standard input with its commands. */
export class LineSource implements ByteSource {
  readonly #source: ByteSource;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async read(): Promise<Buffer | undefined> {
    if (this.#rest.length === 0) return this.#source.read();
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }

  /**
   * A line without its end; `undefined` at the end of the source.
   *
   * @throws Error for a line longer than `limit` bytes
   */
  async readLine(limit = 256 * 1024): Promise<string | undefined> {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = await this.read();
      if (chunk === undefined) return size === 0 ? undefined : Buffer.concat(parts).toString();
      const end = chunk.indexOf(0x0a);
      if (end >= 0) {
        this.#rest = chunk.subarray(end + 1);
        return Buffer.concat([...parts, chunk.subarray(0, end)]).toString();
      }
      parts.push(chunk);
      size += chunk.length;
      if (size > limit) throw new Error("line too long");
    }
  }
}

/** All bytes of a source. @throws Error beyond `limit` bytes */
export async function readAll(source: ByteSource, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) {
    size += chunk.length;
    if (size > limit) throw new Error("File too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
