/** More is not counted: so much may wait for a browser outside of this process, and in its buffers. */
export const MAX_CREDIT_BYTES = 64 * 1024;
const MAX_PIECE_BYTES = 16 * 1024;

/** Where bytes go, and what stops their source. */
export interface CreditedOutputOptions {
  readonly send: (bytes: Buffer) => void;
  /** Bytes wait for the page, upon which the source must be paused, or no longer do: everything that was pushed has been sent. */
  readonly slow: (isSlow: boolean) => void;
}

/**
 * Bytes for a page, sent only as far as the page has granted. The source is paused as soon as something waits here, so that no more than what it
 * had read already is held: one chunk of its socket.
 */
export class CreditedOutput {
  readonly #options: CreditedOutputOptions;
  #credit = 0;
  #queue: Buffer[] = [];
  #heldBytes = 0;

  constructor(options: CreditedOutputOptions) {
    this.#options = options;
  }

  /** Bytes that wait for the page. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const wasEmpty = this.#heldBytes === 0;
    this.#queue.push(bytes);
    this.#heldBytes += bytes.length;
    this.#flush();
    if (wasEmpty && this.#heldBytes > 0) this.#options.slow(true);
  }

  /** The page takes so many more bytes. */
  grant(bytes: number): void {
    this.#credit = Math.min(MAX_CREDIT_BYTES, this.#credit + bytes);
    if (this.#heldBytes === 0) return;
    this.#flush();
    if (this.#heldBytes === 0) this.#options.slow(false);
  }

  /** What waits is not sent any more. */
  drop(): void {
    this.#queue = [];
    this.#heldBytes = 0;
  }

  #flush(): void {
    while (this.#credit > 0) {
      const first = this.#queue.shift();
      if (first === undefined) return;
      const size = Math.min(first.length, this.#credit, MAX_PIECE_BYTES);
      if (size < first.length) this.#queue.unshift(first.subarray(size));
      this.#credit -= size;
      this.#heldBytes -= size;
      this.#options.send(first.subarray(0, size));
    }
  }
}
