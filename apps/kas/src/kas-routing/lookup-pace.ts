import type { Clock } from "@binnacle/rpc";

/** How fast look-ups may follow each other, over all agents. */
export interface LookupRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Spaces out look-ups: so many at once, then so many per second, in the order in which they were wanted. One that is not wanted any
 * more takes nothing from those behind it.
 */
export class LookupPace {
  readonly #rate: LookupRate;
  readonly #clock: Clock;
  readonly #queue = new Set<() => void>();
  #tokens: number;
  #filledMs: number;
  #cancelTimer: (() => void) | undefined;

  constructor(rate: LookupRate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#filledMs = clock.now();
  }

  /**
   * Runs `action` when it is its turn, perhaps before this returns.
   *
   * @returns takes it back
   */
  run(action: () => void): () => void {
    const turn = (): void => action();
    this.#queue.add(turn);
    this.#serve();
    return () => {
      this.#queue.delete(turn);
      if (this.#queue.size > 0) return;
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
    };
  }

  #serve(): void {
    this.#fill();
    for (const turn of this.#queue) {
      if (this.#tokens < 1) break;
      this.#tokens -= 1;
      this.#queue.delete(turn);
      turn();
    }
    if (this.#queue.size === 0) return;
    this.#cancelTimer ??= this.#clock.after(1_000 / this.#rate.perSecond, () => {
      this.#cancelTimer = undefined;
      this.#serve();
    });
  }

  #fill(): void {
    const now = this.#clock.now();
    // A clock that was set back fills nothing and loses nothing.
    const passedMs = Math.max(0, now - this.#filledMs);
    this.#filledMs = now;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + (passedMs * this.#rate.perSecond) / 1_000);
  }
}
