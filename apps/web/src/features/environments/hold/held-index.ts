import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { isOfAnotherUser } from "../../live/same-view.ts";
import { endsPause } from "../../live/pause.ts";
import type { EnvironmentsState } from "../environments-state.ts";
import { isForbidden } from "../row-order.ts";

/** What is shown of an index that is held: what it was then. What is gone, and what may not be seen any more, goes at once. */
export function heldIndex(at: EnvironmentsState, live: EnvironmentsState): EnvironmentsState {
  const rows = new Map<string, EnvironmentRow>();
  for (const [name, row] of at.rows) {
    const now = live.rows.get(name);
    if (now !== undefined) rows.set(name, isForbidden(now) ? now : row);
  }
  return { ...at, rows, viewer: live.viewer, problem: live.problem };
}

/** How many environments say something else by now, have come or have gone. */
export function waitingOf(at: EnvironmentsState, live: EnvironmentsState): number {
  const names = new Set([...at.rows.keys(), ...live.rows.keys()]);
  return [...names].filter((name) => saidOf(at.rows.get(name)) !== saidOf(live.rows.get(name))).length;
}

/** Whether nothing of it may be shown any more, held or not: another user has signed in, or the project may not be seen. */
export function endsIndexHold(at: EnvironmentsState, { viewer, problem }: EnvironmentsState): boolean {
  return isOfAnotherUser(at.viewer, viewer) || endsPause({ problem });
}

/** What a row says of its environment, without of when that is. */
function saidOf(row: EnvironmentRow | undefined): string {
  if (row === undefined) return "";
  const { health, workloads, workloadsReady, workloadsSuspended, workloadsDown, connection, problem, gap } = row;
  const issues = health?.issues.map(({ key }) => key);
  const counted = [health?.status, health?.partial, health?.issuesTotal, health?.resourcesTotal, issues];
  return JSON.stringify([counted, workloads, workloadsReady, workloadsSuspended, workloadsDown, connection?.state, problem?.kind, gap]);
}
