import { words } from "@binnacle/words";

import type { KindReflectorState } from "./kind-reflector-options.ts";

/**
 * What the state of a source means for those who could read the kind in another way.
 * - `loading`: it has reported nothing yet.
 * - `whole`: it has brought everything it may, be it some time ago.
 * - `blocked`: it cannot bring everything: not allowed, not served, too much.
 * - `failing`: it was answered with errors.
 */
export type SourcePhase = "loading" | "whole" | "blocked" | "failing";

/** The phase of a source in this state. */
export function phaseOf({ settled }: KindReflectorState): SourcePhase {
  switch (settled) {
    case undefined:
      return "loading";
    case "live":
      return "whole";
    case "forbidden":
    case "unserved":
    case "truncated":
      return "blocked";
    case "error":
      break;
  }
  return "failing";
}

/** The state of objects that no source keeps up to date any more, until another one has read them. */
export function leftBehind(state: KindReflectorState, nowMs: number): KindReflectorState {
  return { ...state, stale: state.stale ?? { sinceMs: nowMs, cause: "way", words: words("source/read-in-parts") } };
}

/** Nothing is known of the kind yet. */
export const LOADING: KindReflectorState = { total: 0 };
