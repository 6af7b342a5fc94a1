import type { Clock } from "@binnacle/rpc";

/** Runs an action soon after it was asked for, and at most once per interval: the first time at once, then coalesced. */
export class Pace {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #action: () => void;
  #lastMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, intervalMs: number, action: () => void) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#action = action;
  }

  /** Asks for the action. It never runs inside this call. */
  ask(): void {
    if (this.#cancel) return;
    const delayMs = Math.max(0, this.#lastMs + this.#intervalMs - this.#clock.now());
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = undefined;
      this.#lastMs = this.#clock.now();
      this.#action();
    });
  }

  /** Asks for it without waiting for the interval to pass; for the one moment that somebody waits for. */
  hurry(): void {
    this.stop();
    this.#lastMs = Number.NEGATIVE_INFINITY;
    this.ask();
  }

  /** Takes back what was asked for. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
