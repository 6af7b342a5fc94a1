import { Backoff } from "./backoff.ts";

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
