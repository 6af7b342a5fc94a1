/** Lets at most `width` actions run at a time; the rest wait in order. Holds no more than its callers do. */
export class Semaphore {
  readonly #width: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(width: number) {
    this.#width = width;
  }

  /** Runs `action` when a place is free. */
  async run<T>(action: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await action();
    } finally {
      leave();
    }
  }

  /** Waits for a place; the returned function gives it up, once. */
  async enter(): Promise<() => void> {
    if (this.#running >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      // The place is handed over, not freed, so that no other caller can take it in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    };
  }
}
