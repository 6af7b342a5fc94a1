/** So many messages are remembered: one that was held up, or a clock that jumped, is outvoted by the next ones. */
const MOST_SAMPLES = 9;

/**
 * How far the browser's clock is ahead of the server's, learnt from when messages were sent and when they came. The way here is part of
 * it: some milliseconds, where people read seconds.
 */
export class ClockOffset {
  readonly #samples: number[] = [];

  /** Takes in a message: when it was sent by the server's clock, and when it came by the browser's; milliseconds since the epoch. */
  learn(sentAtMs: number, cameAtMs: number): void {
    this.#samples.push(cameAtMs - sentAtMs);
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
  }

  /** Milliseconds to be added to a time of the server; 0 before the first message. */
  get offsetMs(): number {
    const sorted = this.#samples.toSorted((left, right) => left - right);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
