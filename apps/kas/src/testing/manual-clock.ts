import type { Clock } from "@binnacle/rpc";

/** A clock that stands still until it is advanced. */
export class ManualClock implements Clock {
  #nowMs = 1_800_000_000_000;
  readonly #timers = new Set<{ readonly atMs: number; readonly action: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on, and fires what is due in order of time. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.action();
    }
    this.#nowMs = untilMs;
  }
}
