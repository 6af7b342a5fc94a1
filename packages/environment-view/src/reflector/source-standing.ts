import type { Words } from "@binnacle/words";

import type { ViewStaleness } from "../stream/view-model.ts";
import type { KindReflectorState } from "./kind-reflector-options.ts";
import { LOADING } from "./source-phase.ts";

/** When a doubt began, and when the next try is due; milliseconds since the epoch. */
export interface DoubtTimes {
  readonly sinceMs: number;
  readonly retryAtMs?: number;
}

/**
 * How a kind stands: what the API server said last of it, and since when nothing has vouched for that. `settle` is its word, whatever
 * it is; `doubt` and `fail` are the lack of one, and take nothing back.
 */
export class SourceStanding {
  readonly #changed: () => void;
  #state: KindReflectorState = LOADING;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get state(): KindReflectorState {
    return this.#state;
  }

  /** The API server has said how the kind is; earlier doubts are over, but for one that comes with it. */
  settle(state: KindReflectorState & { readonly settled: NonNullable<KindReflectorState["settled"]> }): void {
    this.#become(state);
  }

  /** Nothing vouches for it any more. An older doubt keeps its time; where nothing is settled there is nothing to doubt. */
  doubt(cause: ViewStaleness["cause"], said: Words, { sinceMs, retryAtMs }: DoubtTimes): void {
    const { settled, stale, asOfMs, total, words } = this.#state;
    if (settled === undefined) return;
    this.#become({
      settled,
      stale: { sinceMs: Math.min(stale?.sinceMs ?? sinceMs, sinceMs), cause, words: said },
      ...(asOfMs === undefined ? {} : { asOfMs }),
      ...(words === undefined ? {} : { words }),
      total,
      ...(retryAtMs === undefined ? {} : { retryAtMs }),
    });
  }

  /** The API server answers with an error: all that is known where it has never said anything else, else only a doubt. */
  fail(words: Words, times: Required<DoubtTimes>): void {
    const { settled } = this.#state;
    if (settled !== undefined && settled !== "error") return this.doubt("error", words, times);
    this.settle({ settled: "error", asOfMs: times.sinceMs, words, total: 0, retryAtMs: times.retryAtMs });
  }

  #become(state: KindReflectorState): void {
    this.#state = state;
    this.#changed();
  }
}

/** The age of a kind that is listed now and then. */
export function sampledSince(sinceMs: number, why: Words): ViewStaleness {
  return { sinceMs, cause: "sampled", words: why };
}
