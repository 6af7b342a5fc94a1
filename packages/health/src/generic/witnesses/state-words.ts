import type { Evidence } from "../evidence.ts";
import type { Opinion } from "../opinion.ts";
import { worstState } from "../worst-state.ts";

/** The state of the object itself: phase, state, syncStatus, …; a word that nobody knows means that it is on its way. */
export function stateWords(evidence: Evidence): Opinion | null {
  return worstState(evidence, ({ own, exact, status }) => (own ? (status ?? (exact ? "Progressing" : undefined)) : undefined));
}
