const WINDOW_BYTES = 32 * 1024;
/** Granted again in pieces of this size, not for each message. */
const GRANT_BYTES = WINDOW_BYTES / 2;
const MAX_PIECE_BYTES = 16 * 1024;

/** What a page that grants messages has: bytes, which the last message before a pause may exceed. */
export class MessageCredit {
  readonly #maxBytes: number;
  #bytes = 0;
  #granted: (() => void) | undefined;

  /** @param maxBytes more is not counted */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The page takes so many more bytes. */
  grant(bytes: number): void {
    this.#bytes = Math.min(this.#maxBytes, this.#bytes + bytes);
    if (this.#bytes <= 0) return;
    this.#granted?.();
    this.#granted = undefined;
  }

  /** A message of so many bytes was sent. */
  take(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** The page takes no message now. */
  get isSpent(): boolean {
    return this.#bytes <= 0;
  }

  /** Settles when a message may be sent, or the signal aborts. One call at a time. */
  async available(signal: AbortSignal): Promise<void> {
    if (!this.isSpent || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#granted = done;
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

/** Bytes from a page, taken only as far as they were granted: 32 KiB, which are granted again as they leave this process. */
export class CreditedInput {
  readonly #grant: (bytes: number) => void;
  #isOpen = false;
  #credit = 0;
  /** Bytes that have left this process, and are not granted again yet. */
  #passed = 0;

  /** @param grant sends so much more credit to the page */
  constructor(grant: (bytes: number) => void) {
    this.#grant = grant;
  }

  /** The page can send from now on. Further calls have no effect. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#add(WINDOW_BYTES);
  }

  /** @returns whether the page may send so many bytes in one message; those it may are taken from its credit */
  take(bytes: number): boolean {
    if (bytes > Math.min(MAX_PIECE_BYTES, this.#credit)) return false;
    this.#credit -= bytes;
    return true;
  }

  /** So many of the bytes that were taken have left this process. */
  passed(bytes: number): void {
    this.#passed += bytes;
    if (this.#passed < GRANT_BYTES) return;
    this.#add(this.#passed);
    this.#passed = 0;
  }

  #add(bytes: number): void {
    this.#credit += bytes;
    this.#grant(bytes);
  }
}
