import { Backoff } from "./backoff.ts";

/** What chance adds to a wait: up to a second the first time, so that those who were refused together do not come back together. */
const ADDED = { initialMs: 1_000, maxMs: 8_000 };

/** What patience works with. */
export interface PatienceOptions {
  /** All waits of one request together, in milliseconds. */
  readonly mostMs: number;
  /** 0 ≤ random() < 1; a test passes a fixed one. */
  readonly random?: () => number;
}

/** The waits of one request that is refused for the moment (429 with `Retry-After`) and asked again. */
export class Patience {
  readonly #options: PatienceOptions;
  readonly #added: Backoff;
  #waitedMs = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#added = new Backoff({ ...ADDED, ...(options.random === undefined ? {} : { random: options.random }) });
  }

  /**
   * When to ask again.
   *
   * @param retryAfter value of the header, in seconds as API servers say it
   * @returns milliseconds; undefined when nobody said to come back, or it has lasted too long
   */
  nextMs(retryAfter: string | undefined): number | undefined {
    const seconds = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : undefined;
    if (seconds === undefined) return undefined;
    const delayMs = seconds * 1_000 + this.#added.nextMs();
    if (this.#waitedMs + delayMs > this.#options.mostMs) return undefined;
    this.#waitedMs += delayMs;
    return delayMs;
  }
}
