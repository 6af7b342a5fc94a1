import type { Clock } from "@binnacle/rpc";

/** A `Date` names the second in which it was written, cut: on average half of it has passed. */
const HALF_SECOND_MS = 500;
/** What was heard so long ago is no measure any more: clocks drift, and are set. */
const HELD_MS = 10 * 60_000;
/** No cluster is so far from its agents; a server that reports more has no usable clock. */
const MAX_SKEW_MS = 24 * 60 * 60_000;
/** A `Date` is 29 characters. */
const MAX_CHARS = 64;

/** How far the server's clock was ahead, and how wrong that can be. */
interface Sample {
  readonly aheadMs: number;
  readonly doubtMs: number;
  readonly heardAtMs: number;
}

/**
 * How far the clock of an API server is ahead of this machine's, by the `Date` of its answers: that of the answer that came fastest within ten
 * minutes. What is within the doubt of such a measure is no skew, and what one answer alone says is believed when the next one agrees: a
 * server that lies once, says nothing, or is a day away changes nothing.
 */
export class ServerSkew {
  readonly #clock: Pick<Clock, "now">;
  #best: Sample | undefined;
  /** Differs from the best one, and no other sample confirms it yet. */
  #claim: Sample | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Milliseconds; `undefined` while nothing is known. */
  get aheadMs(): number | undefined {
    if (this.#best === undefined) return undefined;
    const { aheadMs, doubtMs } = this.#best;
    return Math.abs(aheadMs) <= doubtMs ? 0 : aheadMs;
  }

  /** An answer to what was sent then has come now. @param date its `Date`; absent: it has none */
  heard(date: string | undefined, sentAtMs: number): void {
    const nowMs = this.#clock.now();
    const serverMs = date === undefined || date.length > MAX_CHARS ? Number.NaN : Date.parse(date) + HALF_SECOND_MS;
    const tripMs = nowMs - sentAtMs;
    const aheadMs = Math.round(serverMs - (sentAtMs + nowMs) / 2);
    // A clock that was set meanwhile has measured nothing.
    if (tripMs < 0 || !(Math.abs(aheadMs) <= MAX_SKEW_MS)) return;
    this.#take({ aheadMs, doubtMs: tripMs / 2 + HALF_SECOND_MS, heardAtMs: nowMs });
  }

  #take(sample: Sample): void {
    // Without any other measure the machine's own clock is one.
    const best = this.#best ?? { aheadMs: 0, doubtMs: 0, heardAtMs: Number.NEGATIVE_INFINITY };
    if (agree(sample, best)) {
      this.#claim = undefined;
      if (sample.doubtMs <= best.doubtMs || Math.abs(sample.heardAtMs - best.heardAtMs) > HELD_MS) this.#best = sample;
    } else if (this.#claim !== undefined && agree(sample, this.#claim)) {
      this.#best = sample.doubtMs <= this.#claim.doubtMs ? sample : this.#claim;
      this.#claim = undefined;
    } else {
      this.#claim = sample;
    }
  }
}

function agree(left: Sample, right: Sample): boolean {
  return Math.abs(left.aheadMs - right.aheadMs) <= left.doubtMs + right.doubtMs;
}
