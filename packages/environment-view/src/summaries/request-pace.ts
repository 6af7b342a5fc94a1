import { sleep, type Clock } from "@binnacle/rpc";

/** Nobody waits longer for a turn, whatever the clock did meanwhile. */
const MOST_AHEAD_MS = 120_000;

/** At most so many turns a second for all who share it, evenly, in the order in which they ask; no bursts. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #nextMs = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#intervalMs = 1_000 / perSecond;
  }

  /** Settles when it is the caller's turn, or when `signal` aborts. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    // A clock that was put back must not hold everybody until it has caught up.
    if (this.#nextMs - now > MOST_AHEAD_MS) this.#nextMs = now;
    const atMs = Math.max(now, this.#nextMs);
    this.#nextMs = atMs + this.#intervalMs;
    if (atMs > now) await sleep(this.#clock, atMs - now, signal);
  }
}
