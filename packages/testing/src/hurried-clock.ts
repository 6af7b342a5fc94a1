import { systemClock, type Clock } from "@binnacle/rpc";

import { pollUntil, realMs } from "./settle.ts";

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** The system's clock, of which a test can skip time: what waits for an event waits as in production, and a period passes at once. */
export class HurriedClock implements Clock {
  readonly #timers = new Set<Timer>();
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const cancel = systemClock.after(delayMs, () => timer.fire());
    const timer: Timer = {
      dueMs: this.now() + delayMs,
      fire: () => {
        cancel();
        if (this.#timers.delete(timer)) action();
      },
    };
    this.#timers.add(timer);
    return () => {
      cancel();
      this.#timers.delete(timer);
    };
  }

  /**
   * Leaves time out in steps until `condition` holds. Sockets have ten real milliseconds between two steps, so that what is renewed in time stays so.
   *
   * @throws Error as `until`
   */
  skipUntil(condition: () => boolean, stepMs: number): Promise<void> {
    const pause = async (): Promise<void> => {
      await realMs(10);
      this.skip(stepMs);
    };
    return pollUntil(condition, { pause });
  }

  /** So much time is over at once. */
  skip(byMs: number): void {
    this.#aheadMs += byMs;
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= this.now());
    for (const { fire } of due.toSorted((a, b) => a.dueMs - b.dueMs)) fire();
  }
}
