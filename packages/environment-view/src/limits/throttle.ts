import type { Clock } from "@binnacle/rpc";

/** How often something is done at most. */
export interface ThrottleLimits {
  /** On average once in this time. */
  readonly intervalMs: number;
  /** So many times may follow each other sooner, after as many quiet intervals. */
  readonly burst: number;
  /** Never sooner than this after the last time: what comes together is done together. */
  readonly gapMs: number;
}

/** Runs an action soon after it was requested, and not too often: a few times at once, then coalesced (a token bucket). */
export class Throttle {
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #action: () => void;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** What is left at `#lastMs`, in runs. */
  #left: number;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, limits: ThrottleLimits, action: () => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#action = action;
    this.#left = limits.burst;
  }

  /** Asks for the action. It never runs inside this call. */
  ask(): void {
    if (this.#cancel) return;
    this.#cancel = this.#clock.after(this.#delayMs(), () => {
      this.#cancel = undefined;
      this.#left = Math.max(0, this.#leftAt(this.#clock.now()) - 1);
      this.#lastMs = this.#clock.now();
      this.#action();
    });
  }

  /** Requests it without a delay, for a change that a user waits for. */
  hurry(): void {
    this.stop();
    this.#lastMs = Number.NEGATIVE_INFINITY;
    this.ask();
  }

  /** Cancels a pending action. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #delayMs(): number {
    const { intervalMs, gapMs } = this.#limits;
    const now = this.#clock.now();
    const missing = Math.max(0, 1 - this.#leftAt(now));
    // A clock that was set back does not lengthen the delay.
    const gap = Math.min(gapMs, this.#lastMs + gapMs - now);
    return Math.max(0, missing * intervalMs, gap);
  }

  #leftAt(now: number): number {
    const { intervalMs, burst } = this.#limits;
    // A clock that was set back gives nothing.
    return Math.min(burst, this.#left + Math.max(0, now - this.#lastMs) / intervalMs);
  }
}
