import type { Clock } from "@binnacle/rpc";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** A clock for tests: time passes only in `advance`, and promises settle between any two timers. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #nowMs: number;

  constructor(nowMs = Date.parse("2026-01-01T00:00:00Z")) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Fails when a timer was left behind; call it after everything has been stopped. */
  assertIdle(): void {
    if (this.#timers.size > 0) throw new Error(`${this.#timers.size} timers were left behind`);
  }

  /** Lets time pass: timers run in order, each after everything before it has settled. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settle();
    for (;;) {
      const next = [...this.#timers].filter((timer) => timer.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.action();
      await settle();
    }
    this.#nowMs = untilMs;
  }
}

/** Waits until no promise is left to settle; a turn of the event loop comes after all microtasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
