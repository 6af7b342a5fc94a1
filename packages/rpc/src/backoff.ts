/** Bounds of a capped exponential backoff with full jitter. */
export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  /** 0 ≤ random() < 1; a test passes a fixed one. */
  readonly random?: () => number;
}

/** Share of the bound that is waited at least. */
const FLOOR = 0.1;

/**
 * Delays between attempts: full jitter over a doubling, capped bound, so that a thousand clients that failed together come back spread over
 * the whole bound. Never less than a tenth of it, so that a client cannot retry at once by chance. One instance belongs to one target.
 */
export class Backoff {
  readonly #options: BackoffOptions;
  #attempt = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Whole milliseconds to wait before the next attempt; between a tenth of the bound and the bound. */
  nextMs(): number {
    const { initialMs, maxMs, random = Math.random } = this.#options;
    const bound = Math.min(maxMs, initialMs * 2 ** Math.min(this.#attempt, 30));
    this.#attempt += 1;
    return Math.round(Math.max(bound * FLOOR, random() * bound));
  }

  /** After a success: the next failure starts from the smallest delay. */
  reset(): void {
    this.#attempt = 0;
  }
}
