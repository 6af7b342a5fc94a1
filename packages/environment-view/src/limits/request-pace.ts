import { sleep, type Clock } from "@binnacle/rpc";

/** Maximum wait for a turn, also after a change of the clock. */
const MAX_AHEAD_MS = 120_000;

/**
 * At most so many turns a second for all who share it, in the order in which they ask: evenly, but for as many at once as may follow
 * each other after a rest (a token bucket, as `QPS` and `Burst` of client-go).
 */
export class RequestPace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  /** How long before its even time a turn may be. */
  readonly #aheadMs: number;
  /** The even time of the next turn. */
  #nextMs = 0;

  /** @param burst turns at once after a rest; default: one, so none */
  constructor(clock: Clock, perSecond: number, burst = 1) {
    this.#clock = clock;
    this.#intervalMs = 1_000 / perSecond;
    this.#aheadMs = (burst - 1) * this.#intervalMs;
  }

  /** Settles when it is the caller's turn, or when `signal` aborts. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    // A clock that was set back must not delay all requests until it has caught up.
    if (this.#nextMs - now > this.#aheadMs + MAX_AHEAD_MS) this.#nextMs = now;
    const evenMs = Math.max(now, this.#nextMs);
    const atMs = Math.max(now, evenMs - this.#aheadMs);
    this.#nextMs = evenMs + this.#intervalMs;
    if (atMs > now) await sleep(this.#clock, atMs - now, signal);
  }
}
