import { type EnvironmentRow, type Problem, type Viewer, type WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { ConnectionState, RowGap } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { isOfAnotherUser } from "@binnacle/presentation/view/same-view";
import { withSyncIssues } from "@binnacle/presentation/health/with-sync-issues";
import { awayOf } from "@binnacle/presentation/environments/row-knowledge";
import { isForbidden, nameOf } from "@binnacle/presentation/environments/row-order";

/** What is known of a project's environments. Times are milliseconds since the epoch, by the server's clock. */
export interface EnvironmentsState {
  readonly rows: ReadonlyMap<string, EnvironmentRow>;
  /** Rows whose numbers are of an earlier stream, and since when. */
  readonly kept: ReadonlyMap<string, number>;
  readonly complete: boolean;
  readonly viewer?: Viewer | undefined;
  readonly problem?: Problem | undefined;
  /** The stream broke and is being tried again. */
  readonly lost: boolean;
  /** When the first row came; 0 before. */
  readonly firstRowsMs: number;
  readonly lastMessageMs: number;
  /** Set until the stream says something: the page was sent with these rows, at this time. */
  readonly sentAtMs?: number | undefined;
}

/** Before the first message. */
export const START: EnvironmentsState = {
  rows: new Map(),
  kept: new Map(),
  complete: false,
  lost: false,
  firstRowsMs: 0,
  lastMessageMs: 0,
};

/** What a page shows before the first message of its stream: the rows that it was sent with, without updates. */
export function sentRows(message: WatchEnvironmentsResponse): EnvironmentsState {
  const sentAtMs = message.sentAt === undefined ? 0 : millisOf(message.sentAt);
  const rows = message.rows.map((row) => ({ ...withItsSyncIssues(row), live: false }));
  return {
    ...START,
    rows: new Map(rows.map((row) => [nameOf(row), row])),
    viewer: message.viewer,
    problem: message.problem,
    complete: message.complete,
    sentAtMs,
  };
}

/**
 * Applies one message. Rows are replaced by name; but a row of which the server knows nothing yet keeps the numbers it had, until the server
 * knows, or says that they may not be shown. What another user saw is not shown to who signed in after him.
 *
 * @param first the first message of a stream: it names all there is, and what it does not name is gone
 */
export function applyRows(
  earlier: EnvironmentsState,
  message: WatchEnvironmentsResponse,
  { nowMs, first }: { readonly nowMs: number; readonly first: boolean },
): EnvironmentsState {
  const state = message.viewer !== undefined && isOfAnotherUser(earlier.viewer, message.viewer) ? START : earlier;
  const gone = first && message.complete ? absentFrom(state.rows, message.rows) : message.removed;
  const rows = new Map(state.rows);
  const kept = new Map(state.kept);
  for (const name of gone) {
    rows.delete(name);
    kept.delete(name);
  }
  for (const row of message.rows.map(withItsSyncIssues)) {
    const name = nameOf(row);
    const before = rows.get(name);
    const keeps = before !== undefined && isKeeping(before, row);
    rows.set(name, before === undefined ? row : keeps ? withNumbersOf(before, row) : withLockOf(before, row));
    if (keeps) kept.set(name, kept.get(name) ?? nowMs);
    else kept.delete(name);
  }
  for (const { names, asOf } of message.seen) {
    for (const name of names) {
      const row = rows.get(name);
      if (row?.health !== undefined && asOf !== undefined) rows.set(name, { ...row, asOf });
    }
  }
  const unchanged = message.rows.length + gone.length + message.seen.length === 0;
  return {
    rows: unchanged ? state.rows : rows,
    kept: unchanged ? state.kept : kept,
    complete: state.complete || message.complete,
    viewer: message.viewer ?? state.viewer,
    problem: message.problem,
    lost: false,
    sentAtMs: undefined,
    firstRowsMs: state.firstRowsMs === 0 && rows.size > 0 ? nowMs : state.firstRowsMs,
    lastMessageMs: nowMs,
  };
}

function withItsSyncIssues(row: EnvironmentRow): EnvironmentRow {
  return row.health === undefined ? row : { ...row, health: withSyncIssues(row.health, row.environment?.delivery) };
}

/** Whether a row that could be known now is not: until all are, nothing is sorted anew. */
export function isLoading(state: EnvironmentsState): boolean {
  return [...state.rows.values()].some(({ health, problem, gap, connection }) => {
    const isAway = connection?.state === ConnectionState.AGENT_NEVER_CONNECTED || awayOf(connection?.state) !== undefined;
    return health === undefined && problem === undefined && gap === RowGap.NOT_LOOKED_AT && !isAway;
  });
}

/** Whether the server looks at one environment after the other, so that it matters to it which ones are on the screen. */
export function isOrderWanted(state: EnvironmentsState): boolean {
  return [...state.rows.values()].some((row) => row.workloadsOnly);
}

function absentFrom(rows: ReadonlyMap<string, EnvironmentRow>, named: readonly EnvironmentRow[]): string[] {
  const names = new Set(named.map(nameOf));
  return [...rows.keys()].filter((name) => !names.has(name));
}

/** Whether the new row knows nothing yet of what the old one was about. */
function isKeeping(before: EnvironmentRow, row: EnvironmentRow): boolean {
  if (before.health === undefined || row.health !== undefined || row.problem !== undefined) return false;
  if (row.gap === RowGap.MOVED || row.gap === RowGap.FORBIDDEN) return false;
  const [a, b] = [before.environment, row.environment];
  return a?.projectPath === b?.projectPath && a?.agentId === b?.agentId && a?.namespace === b?.namespace && a?.scopeId === b?.scopeId;
}

/** A forbidden row stays forbidden until something is reported of it: "not known yet" would be less than is known. */
function withLockOf(before: EnvironmentRow, row: EnvironmentRow): EnvironmentRow {
  const isReported =
    row.health !== undefined || row.problem !== undefined || row.gap !== RowGap.NOT_LOOKED_AT || row.connection !== undefined;
  if (isReported || !isForbidden(before) || before.environment?.agentId !== row.environment?.agentId) return row;
  return {
    ...row,
    gap: before.gap,
    ...(before.problem && { problem: before.problem }),
    ...(before.gapWords && { gapWords: before.gapWords }),
  };
}

function withNumbersOf(before: EnvironmentRow, row: EnvironmentRow): EnvironmentRow {
  const { workloads, workloadsReady, workloadsSuspended, workloadsDown, workloadsOnly } = before;
  return {
    ...row,
    ...(before.health === undefined ? {} : { health: before.health }),
    ...(before.lastChange === undefined ? {} : { lastChange: before.lastChange }),
    ...(before.asOf === undefined ? {} : { asOf: before.asOf }),
    ...(before.every === undefined ? {} : { every: before.every }),
    workloads,
    workloadsReady,
    workloadsSuspended,
    ...(workloadsDown === undefined ? {} : { workloadsDown }),
    workloadsOnly,
  };
}
