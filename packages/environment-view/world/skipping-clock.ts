import type { Clock } from "@binnacle/rpc";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
  readonly handle: NodeJS.Timeout;
}

/** How long real time goes on between two timers of a skip: answers of a server on this machine come in meanwhile. */
const BREATH_MS = 10;

/** The machine's clock, which can be put forward: what waits for a minute to pass need not be waited for. */
export class SkippingClock implements Clock {
  readonly #timers = new Set<Timer>();
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const handle = setTimeout(() => this.#fire(timer), delayMs);
    const timer: Timer = { atMs: this.now() + delayMs, action, handle };
    this.#timers.add(timer);
    return () => this.#forget(timer);
  }

  /** Puts the clock forward from timer to timer, in their order, with a breath after each. */
  async skip(byMs: number): Promise<void> {
    const untilMs = this.now() + byMs;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#putForwardTo(due.atMs);
      this.#fire(due);
      await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
    }
    this.#putForwardTo(untilMs);
  }

  #putForwardTo(atMs: number): void {
    this.#aheadMs = Math.max(this.#aheadMs, atMs - Date.now());
  }

  #fire(timer: Timer): void {
    if (this.#forget(timer)) timer.action();
  }

  #forget(timer: Timer): boolean {
    clearTimeout(timer.handle);
    return this.#timers.delete(timer);
  }
}
