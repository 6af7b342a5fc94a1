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

/** Random addition to a wait: up to a second the first time, so that clients that were rejected together do not retry together. */
const ADDED = { initialMs: 1_000, maxMs: 8_000 };

/** Options of `Patience`. */
export interface PatienceOptions {
  /** All waits of one request together, in milliseconds. */
  readonly maxMs: number;
  /** 0 ≤ random() < 1; a test passes a fixed one. */
  readonly random?: () => number;
}

/** The retries of one request that is rejected for the moment (429 with `Retry-After`). */
export class Patience {
  readonly #options: PatienceOptions;
  readonly #added: Backoff;
  #waitedMs = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#added = new Backoff({ ...ADDED, ...(options.random === undefined ? {} : { random: options.random }) });
  }

  /**
   * When to retry.
   *
   * @param retryAfter value of the header, in seconds as API servers send it
   * @returns milliseconds; undefined without a valid header, or when all waits together would be too long
   */
  nextMs(retryAfter: string | undefined): number | undefined {
    const seconds = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : undefined;
    if (seconds === undefined) return undefined;
    const delayMs = seconds * 1_000 + this.#added.nextMs();
    if (this.#waitedMs + delayMs > this.#options.maxMs) return undefined;
    this.#waitedMs += delayMs;
    return delayMs;
  }
}
