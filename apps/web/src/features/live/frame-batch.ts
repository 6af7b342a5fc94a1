/** Runs `flush` once per animation frame, however often it is asked; in a hidden tab, where no frame comes, after 100 ms. */
export class FrameBatch {
  readonly #flush: () => void;
  #scheduled = false;

  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Asks for a flush. */
  request(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const run = (): void => {
      this.#scheduled = false;
      this.#flush();
    };
    if (typeof document === "undefined" || document.hidden) setTimeout(run, 100);
    else requestAnimationFrame(run);
  }
}
