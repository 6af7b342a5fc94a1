/**
 * One piece of work in each turn of the event loop, whoever has work: what else the agent does is never held up for longer than one piece takes.
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
