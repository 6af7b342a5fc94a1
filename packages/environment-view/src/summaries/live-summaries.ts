import type { ViewScope } from "../scope/view-scope.ts";
import type { SummaryFacts } from "./summary-source.ts";

/** Scopes of one agent and identity that are open as a whole view anyway: their summaries cost nothing and are never old. */
export interface LiveSummaries {
  /** `undefined` when the scope is not open, or not known as a whole, or its agent does not answer. */
  liveSummaryOf(scope: ViewScope): SummaryFacts | undefined;
  /** Calls `listener` when the answer for a scope may be another, also for scopes that were not requested. @returns ends it */
  onChange(listener: (scope: ViewScope) => void): () => void;
  /** Replaces the scopes that are wanted now. Absent: they need not be known. */
  want?(scopes: readonly ViewScope[]): void;
  /** Settles when what can be had soon is there: before that nothing should be read for it. Absent: nothing comes. */
  settled?(signal: AbortSignal): Promise<void>;
}

/** Nothing is open. */
export const NO_LIVE_SUMMARIES: LiveSummaries = { liveSummaryOf: () => undefined, onChange: () => () => {} };
