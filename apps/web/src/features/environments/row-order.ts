import { HealthStatus, ProblemKind, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";

/** Worst first, then newest change, then name. Rows that may not be seen come last. */
export function sortedNames(rows: ReadonlyMap<string, EnvironmentRow>): readonly string[] {
  return [...rows.values()].sort(byWorst).map(nameOf);
}

/**
 * The order while somebody points at the table: nobody changes places, what left goes, what is new waits at the end.
 */
export function heldNames(shown: readonly string[], rows: ReadonlyMap<string, EnvironmentRow>): readonly string[] {
  const kept = shown.filter((name) => rows.has(name));
  const known = new Set(kept);
  return [...kept, ...sortedNames(rows).filter((name) => !known.has(name))];
}

/** Whether the viewer may not see the environment's cluster. */
export function isForbidden(row: EnvironmentRow): boolean {
  return row.problem?.kind === ProblemKind.AGENT_FORBIDDEN;
}

/** Status under which the filter finds a row: what cannot be asked now is Unknown; without agent, access or data there is none. */
export function statusOfRow(row: EnvironmentRow | undefined): HealthStatus {
  if (row?.problem?.kind === ProblemKind.UNAVAILABLE) return HealthStatus.UNKNOWN;
  return (row?.problem === undefined ? row?.health?.status : undefined) ?? HealthStatus.UNSPECIFIED;
}

/** Name of a row, its key. */
export function nameOf(row: EnvironmentRow): string {
  return row.environment?.name ?? "";
}

function byWorst(left: EnvironmentRow, right: EnvironmentRow): number {
  return (
    Number(isForbidden(left)) - Number(isForbidden(right)) ||
    (right.health?.status ?? 0) - (left.health?.status ?? 0) ||
    changedMs(right) - changedMs(left) ||
    (nameOf(left) < nameOf(right) ? -1 : 1)
  );
}

function changedMs(row: EnvironmentRow): number {
  return row.lastChange === undefined ? 0 : millisOf(row.lastChange);
}
