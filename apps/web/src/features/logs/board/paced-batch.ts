import { FrameBatch } from "../../live/frame-batch.ts";

/** Runs `flush` in the next frame after it was requested; while much comes, at most once in so many milliseconds. */
export class PacedBatch {
  readonly #frame: FrameBatch;
  readonly #paceMs: number;
  #isWaiting = false;
  #flushedMs = Number.NEGATIVE_INFINITY;

  constructor(flush: () => void, paceMs: number) {
    this.#paceMs = paceMs;
    this.#frame = new FrameBatch(() => {
      this.#isWaiting = false;
      this.#flushedMs = performance.now();
      flush();
    });
  }

  /** Requests a flush. */
  request(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const waitMs = this.#flushedMs + this.#paceMs - performance.now();
    if (waitMs <= 0) this.#frame.request();
    else setTimeout(() => this.#frame.request(), waitMs);
  }
}
