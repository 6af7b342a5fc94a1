import { compareText } from "./compare-text.ts";

/** A health word ("Healthy", "Degraded", …; empty for none), or a number of which the bigger is the worse. */
export type FoldStatus = string | number;

/** How many have a status. */
export type StatusCount<S extends FoldStatus = FoldStatus> = readonly [status: S, count: number];

/** Order of the roll-up, worst last; the places are the numbers of `HealthStatus` in the contract. */
const WORDS = ["", "Healthy", "Suspended", "Progressing", "Missing", "Degraded", "Unknown"];

/** Rank of a status, bigger is worse. A word that is not known ranks like Unknown, so that it is never taken for well. */
export function rankOfStatus(status: FoldStatus): number {
  if (typeof status === "number") return status;
  const rank = WORDS.indexOf(status);
  return rank < 0 ? WORDS.length - 1 : rank;
}

/** How many nodes have each status, worst first. */
export function countByStatus<S extends FoldStatus>(nodes: readonly { readonly status: S }[]): readonly StatusCount<S>[] {
  const counts = new Map<S, number>();
  for (const { status } of nodes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => rankOfStatus(right) - rankOfStatus(left) || compareText(left.toString(), right.toString()));
}
