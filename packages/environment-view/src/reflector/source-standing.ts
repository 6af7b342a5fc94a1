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
 * How a kind stands: the last result of the API server, and since when it is unconfirmed. `settle` is a result of the API server;
 * `doubt` and `fail` are the lack of one, and do not take the last one back.
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

  /** Stores a result of the API server; earlier doubts are over, except for one that comes with it. */
  settle(state: KindReflectorState & { readonly settled: NonNullable<KindReflectorState["settled"]> }): void {
    this.#become(state);
  }

  /** Nothing vouches for it any more. An older doubt keeps its time; where nothing is settled there is nothing to doubt. */
  doubt(cause: ViewStaleness["cause"], why: Words, { sinceMs, retryAtMs }: DoubtTimes): void {
    const { settled, stale, asOfMs, total, words } = this.#state;
    if (settled === undefined) return;
    this.#become({
      settled,
      stale: { sinceMs: Math.min(stale?.sinceMs ?? sinceMs, sinceMs), cause, words: why },
      ...(asOfMs === undefined ? {} : { asOfMs }),
      ...(words === undefined ? {} : { words }),
      total,
      ...(retryAtMs === undefined ? {} : { retryAtMs }),
    });
  }

  /** The API server answers with an error: the state of a kind without an earlier result, else only a doubt. */
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
