import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { HealthStatus, ProblemKind, RowGap } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../text/format-time.ts";

/** Where the filter finds rows of which nothing is known yet: no status of health, and not "no status" either. */
export const NOT_KNOWN_YET = -1 as const;

/** Where the filter finds rows that this viewer may not see. */
export const NOT_VISIBLE = -2 as const;

/** What a row is filtered and sorted by. */
export type RowStatus = HealthStatus | typeof NOT_KNOWN_YET | typeof NOT_VISIBLE;

/**
 * Most harm first: the share of workloads that do not serve, then severity, then what began first, then the newest change, then the name. What
 * is not known yet comes after what is; then rows that may not be seen, and last those without an agent, of which least is known.
 */
export function sortedNames(rows: ReadonlyMap<string, EnvironmentRow>): readonly string[] {
  return [...rows.values()].sort(byHarm).map(nameOf);
}

/**
 * The order while a pointer is over the table, or while it fills: no row moves, removed rows go, what is new waits at the end.
 */
export function heldNames(shown: readonly string[], rows: ReadonlyMap<string, EnvironmentRow>): readonly string[] {
  const kept = shown.filter((name) => rows.has(name));
  if (kept.length === rows.size) return kept.length === shown.length ? shown : kept;
  const known = new Set(kept);
  return [...kept, ...sortedNames(rows).filter((name) => !known.has(name))];
}

/** Whether the viewer may not see the environment's cluster, or nothing of its namespace. */
export function isForbidden(row: EnvironmentRow): boolean {
  return row.problem?.kind === ProblemKind.AGENT_FORBIDDEN || (row.problem === undefined && row.gap === RowGap.FORBIDDEN);
}

/**
 * Status under which the filter finds a row: what cannot be queried now is Unknown; without an agent there is none; what is not known yet, and
 * what may not be seen, stand by themselves.
 */
export function statusOfRow(row: EnvironmentRow | undefined): RowStatus {
  if (row === undefined) return NOT_KNOWN_YET;
  if (isForbidden(row)) return NOT_VISIBLE;
  if (row.problem?.kind === ProblemKind.UNAVAILABLE) return HealthStatus.UNKNOWN;
  if (row.problem !== undefined) return HealthStatus.UNSPECIFIED;
  return row.health?.status ?? NOT_KNOWN_YET;
}

/** Name of a row, its key. */
export function nameOf(row: EnvironmentRow): string {
  return row.environment?.name ?? "";
}

/** Part of the workloads that serve nothing, 0 to 1. Where those were not counted, it is the part that is neither ready nor suspended. */
function downShare({ health, workloads, workloadsReady, workloadsSuspended, workloadsDown }: EnvironmentRow): number {
  if (health === undefined || workloads === 0) return 0;
  return (workloadsDown ?? Math.max(0, workloads - workloadsReady - workloadsSuspended)) / workloads;
}

function byHarm(left: EnvironmentRow, right: EnvironmentRow): number {
  return (
    outsideRank(left) - outsideRank(right) ||
    downShare(right) - downShare(left) ||
    statusOfRow(right) - statusOfRow(left) ||
    compare(firstIssueMs(left), firstIssueMs(right)) ||
    changedMs(right) - changedMs(left) ||
    (nameOf(left) < nameOf(right) ? -1 : 1)
  );
}

/** Whether nothing of the environment's cluster can be known to the viewer: it may not be seen, or there is no agent. */
export function isOutside(row: EnvironmentRow): boolean {
  return outsideRank(row) > 0;
}

/** 0 for rows that are known or will be. */
function outsideRank(row: EnvironmentRow): number {
  if (row.problem?.kind === ProblemKind.NO_AGENT) return 2;
  return isForbidden(row) ? 1 : 0;
}

/** When the worst issue began; issues of unknown age come after those with one. */
function firstIssueMs({ health }: EnvironmentRow): number {
  const since = health?.issues[0]?.since;
  return since === undefined ? Number.POSITIVE_INFINITY : millisOf(since);
}

/** Of two numbers that may both be infinite, for a sort. */
function compare(left: number, right: number): number {
  return left === right ? 0 : left - right;
}

function changedMs(row: EnvironmentRow): number {
  return row.lastChange === undefined ? 0 : millisOf(row.lastChange);
}
