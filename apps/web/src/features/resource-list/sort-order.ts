import { compare } from "@binnacle/presentation/graph/compare";
import { statusOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { COLUMNS, type ColumnKey, type OwnerOf } from "./columns.tsx";

/** What the list is sorted by. */
export interface SortOrder {
  readonly key: ColumnKey;
  readonly falling: boolean;
}

/** The default order: the worst are first. */
const WORST_FIRST: SortOrder = { key: "health", falling: false };

/** What an address says, "age" or "-age"; what is no column is worst first. */
export function sortOrderOf(text: string): SortOrder {
  const key = text.replace(/^-/, "");
  const column = COLUMNS.find((each) => each.key === key);
  return column === undefined ? WORST_FIRST : { key: column.key, falling: text.startsWith("-") };
}

/** The order in the address after a press on the head of a column: rising, falling, and then worst first again. */
export function nextSort(now: SortOrder, pressed: ColumnKey): string {
  if (now.key !== pressed) return pressed === WORST_FIRST.key ? "" : pressed;
  if (!now.falling) return `-${pressed}`;
  return "";
}

/** Compares two nodes; what has no value comes last either way, and equals stand worst first, then by kind and name. */
export function comparing({ key, falling }: SortOrder, ownerOf: OwnerOf): (left: LiveNode, right: LiveNode) => number {
  const sortValueOf = COLUMNS.find((column) => column.key === key)?.sortValueOf ?? (() => undefined);
  return (left, right) => {
    const [one, two] = [sortValueOf(left, ownerOf), sortValueOf(right, ownerOf)];
    if (one === undefined || two === undefined) return Number(one === undefined) - Number(two === undefined) || byWorst(left, right);
    return (falling ? compare(two, one) : compare(one, two)) || byWorst(left, right);
  };
}

function byWorst(left: LiveNode, right: LiveNode): number {
  return (
    statusOf(right) - statusOf(left) ||
    compare(left.ref?.kind ?? "", right.ref?.kind ?? "") ||
    compare(left.ref?.name ?? "", right.ref?.name ?? "") ||
    compare(left.id, right.id)
  );
}
