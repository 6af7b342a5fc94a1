import { words } from "@binnacle/words";

import type { ViewLog } from "../base/view-log.ts";
import type { KindReflectorState } from "../reflector/kind-reflector-options.ts";

/** Each costs a request now and then: beyond this, one identity would keep an agent busy by what it has open alone. */
const MAX_SOURCES = 4_000;
/** The last quarter is for core kinds, and for sources that stand for many: a cluster may name as many kinds as it likes. */
const FOR_ALL = 3 / 4;

/**
 * How many sources run for one view, whatever is open in it. A source without a place is not read and reports it; it is tried again with
 * each review. A source that ends frees its place.
 */
export class SourcePlaces {
  readonly most: number;
  readonly #log: ViewLog | undefined;
  #held = 0;
  #isReported = false;

  /** @param most default 4,000 */
  constructor(most: number = MAX_SOURCES, log?: ViewLog) {
    this.most = most;
    this.#log = log;
  }

  /** Sources that run. */
  get held(): number {
    return this.#held;
  }

  /** Takes a place, if there is one. @param isFirst also one of the last quarter */
  take(isFirst: boolean): boolean {
    if (this.#held >= (isFirst ? this.most : this.most * FOR_ALL)) {
      if (!this.#isReported)
        this.#log?.warn({ sources: this.#held, most: this.most }, "a view has as many sources as it may: not all is read");
      this.#isReported = true;
      return false;
    }
    this.#held += 1;
    return true;
  }

  give(): void {
    this.#held -= 1;
    // Not for each that comes and goes at the limit.
    if (this.#held < this.most / 2) this.#isReported = false;
  }
}

/** The state of a kind that found no place: it was not requested, so that nothing is known of it. @param nowMs since the epoch */
export function unreadState(most: number, nowMs: number): KindReflectorState {
  return { settled: "error", asOfMs: nowMs, words: words("source/no-place", { most }), total: 0 };
}
