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
