import type { EnvironmentRow, Problem, Viewer } from "@binnacle/proto/dashboard";
import type { OverviewTotals, WatchOverviewResponse } from "@binnacle/proto/dashboard-overview";
import { nextRow } from "../environments/environments-state.ts";
import { isOfAnotherUser } from "@binnacle/presentation/view/same-view";

/** What is known of an overview. Times are milliseconds since the epoch, by the server's clock. */
export interface OverviewState {
  /** By the id of the environment. */
  readonly rows: ReadonlyMap<string, EnvironmentRow>;
  /** Rows whose numbers are of an earlier stream, and since when. */
  readonly kept: ReadonlyMap<string, number>;
  /** Ids that the stream has not named yet: what it does not name until it is complete has gone. */
  readonly unnamed: ReadonlySet<string>;
  readonly totals?: OverviewTotals | undefined;
  readonly viewer?: Viewer | undefined;
  readonly problem?: Problem | undefined;
  /** Names of groups by full path. */
  readonly groups: ReadonlyMap<string, string>;
  /** The stream broke and is being tried again. */
  readonly lost: boolean;
  readonly lastMessageMs: number;
}

/** Before the first message. */
export const START: OverviewState = {
  rows: new Map(),
  kept: new Map(),
  unnamed: new Set(),
  groups: new Map(),
  lost: false,
  lastMessageMs: 0,
};

/**
 * Applies one message. A row of which the server knows nothing yet keeps the numbers it had, until the server knows, or says that they may not
 * be shown. What another user saw is not shown to who signed in after them.
 *
 * @param first the first message of a stream
 */
export function applyOverview(
  earlier: OverviewState,
  message: WatchOverviewResponse,
  { nowMs, first }: { readonly nowMs: number; readonly first: boolean },
): OverviewState {
  const state = message.viewer !== undefined && isOfAnotherUser(earlier.viewer, message.viewer) ? START : earlier;
  const unnamed = new Set(first ? state.rows.keys() : state.unnamed);
  for (const { id } of message.rows) unnamed.delete(id);
  const totals = message.totals ?? (first ? undefined : state.totals);
  const isComplete = totals?.complete === true && totals.projectsFailed === 0;
  const gone = isComplete && unnamed.size > 0 ? [...message.removed, ...unnamed] : message.removed;
  if (isComplete) unnamed.clear();
  const isChanged = message.rows.length + gone.length + message.seen.length > 0;
  const groups =
    message.groups.length === 0 ? state.groups : new Map(message.groups.map(({ fullPath, name }) => [fullPath, name] as const));
  const common = { unnamed, totals, groups, viewer: message.viewer ?? state.viewer, problem: message.problem, lost: false };
  if (!isChanged) return { ...state, ...common, lastMessageMs: nowMs };
  const [rows, kept] = [new Map(state.rows), new Map(state.kept)];
  for (const id of gone) {
    rows.delete(id);
    kept.delete(id);
  }
  for (const { id, row } of message.rows) {
    if (row === undefined) continue;
    const next = nextRow(rows.get(id), row);
    rows.set(id, next.row);
    if (next.isKept) kept.set(id, kept.get(id) ?? nowMs);
    else kept.delete(id);
  }
  for (const { names, asOf } of message.seen) {
    for (const id of names) {
      const row = rows.get(id);
      if (row?.health !== undefined && asOf !== undefined) rows.set(id, { ...row, asOf });
    }
  }
  return { ...common, rows, kept, lastMessageMs: nowMs };
}
