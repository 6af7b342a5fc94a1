/**
 * Runs one piece of work in each turn of the event loop over all calls, so that other work of the agent waits for one piece at most.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isDue = false;

  /** Resolves when it is the caller's turn. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
