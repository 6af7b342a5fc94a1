import type { Evidence } from "../evidence.ts";
import type { Opinion } from "../opinion.ts";
import { worstState } from "../worst-state.ts";

/** The states of components, members, listeners, …; a word that nobody knows says nothing. */
export function stateWordsBelow(evidence: Evidence): Opinion | null {
  return worstState(evidence, ({ own, status }) => (own || status === "Suspended" ? undefined : status));
}
