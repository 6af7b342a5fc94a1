import { SettledState } from "@binnacle/proto/dashboard-enums";
import type { ViewState } from "./view-state.ts";

/**
 * Whether every kind has answered: only then is a number of resources all there are, and none that there is nothing. A view is complete
 * before that when one kind keeps the others waiting.
 */
export function isWhole({ complete, sources }: Pick<ViewState, "complete" | "sources">): boolean {
  return complete && sources.every(({ settled }) => settled !== SettledState.UNSPECIFIED);
}
