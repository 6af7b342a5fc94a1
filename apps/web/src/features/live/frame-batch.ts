/** Without frames, as in a hidden tab, a flush waits so long. */
const NO_FRAME_MS = 100;

/** Runs `flush` in the next animation frame after a request; in a hidden tab, where no frame comes, after 100 ms. */
export class FrameBatch {
  readonly #flush: () => void;
  readonly #paceMs: () => number;
  #scheduled = false;
  #flushedMs = Number.NEGATIVE_INFINITY;

  /** @param paceMs from one flush to the next at least, as it is when that is requested; 0: each frame may have one */
  constructor(flush: () => void, paceMs: () => number = () => 0) {
    this.#flush = flush;
    this.#paceMs = paceMs;
  }

  /** Requests a flush: requests until then are one. */
  request(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const waitMs = this.#flushedMs + this.#paceMs() - performance.now();
    if (waitMs > 0) setTimeout(() => this.#inNextFrame(), waitMs);
    else this.#inNextFrame();
  }

  #inNextFrame(): void {
    const run = (): void => {
      this.#scheduled = false;
      this.#flushedMs = performance.now();
      this.#flush();
    };
    if (typeof document === "undefined" || document.hidden) setTimeout(run, NO_FRAME_MS);
    else requestAnimationFrame(run);
  }
}
