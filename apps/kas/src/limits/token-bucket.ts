import { sleep, type Clock } from "@binnacle/rpc";

/** How fast calls may be made. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Lets `burst` calls through at once and `perSecond` from then on; further callers wait their turn. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  /** When the bucket would be full again. */
  #fullAtMs = 0;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Settles when it is this caller's turn, or as soon as `signal` aborts. */
  async take(signal: AbortSignal): Promise<void> {
    const perCallMs = 1_000 / this.#rate.perSecond;
    const now = this.#clock.now();
    this.#fullAtMs = Math.max(this.#fullAtMs, now) + perCallMs;
    const waitMs = this.#fullAtMs - now - this.#rate.burst * perCallMs;
    if (waitMs > 0) await sleep(this.#clock, waitMs, signal);
  }
}
