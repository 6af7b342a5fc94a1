import type { HealthStatus } from "@binnacle/proto/dashboard";
import type { LiveNode } from "../live/live-node.ts";
import { matches, type NodeFilter } from "../filter/node-filter.ts";
import { statusOf } from "../live/health-status.ts";
import type { OwnerOf, Column } from "./columns.tsx";
import { comparing, type SortOrder } from "./sort-order.ts";
import { tLater } from "../../ui/messages.ts";
import type { TableColumn } from "@binnacle/presentation/export/table-files";
import type { EnvironmentStore } from "../live/environment-store.ts";

/** A line of the list: a resource, or the head of a group. */
export type ListRow =
  | { readonly type: "node"; readonly id: string }
  | { readonly type: "group"; readonly kind: string; readonly count: number; readonly worst: HealthStatus };

/** What lines of the list are in which order. */
export interface ListOrder {
  readonly grouped: boolean;
  readonly sort: SortOrder;
  readonly ownerOf: OwnerOf;
}

/** Lines in order; by kind with heads when grouped, the kind of the first line first. */
export function listRows(nodes: Iterable<LiveNode>, filter: NodeFilter, { grouped, sort, ownerOf }: ListOrder): readonly ListRow[] {
  const found = [...nodes].filter((node) => matches(node, filter)).sort(comparing(sort, ownerOf));
  if (!grouped) return found.map((node) => ({ type: "node", id: node.id }));
  const groups = new Map<string, LiveNode[]>();
  for (const node of found) {
    const kind = node.ref?.kind ?? "";
    append(groups, kind, node);
  }
  return [...groups].flatMap(([kind, members]): ListRow[] => [
    { type: "group", kind, count: members.length, worst: worstOf(members) },
    ...members.map((node): ListRow => ({ type: "node", id: node.id })),
  ]);
}

/** What tells a line from all others. */
export function keyOfRow(row: ListRow): string {
  return row.type === "node" ? row.id : `group ${row.kind}`;
}

/** The resources among the lines, in their order. */
export function idsOfRows(rows: readonly ListRow[]): readonly string[] {
  return rows.flatMap((row) => (row.type === "node" ? row.id : []));
}

/**
 * The lines of now in the order of before, so that nothing runs away from who reads: what has gone leaves its place, what is new comes after
 * the line that it would follow.
 */
export function heldRows(before: readonly ListRow[], now: readonly ListRow[]): readonly ListRow[] {
  const rows = new Map(now.map((row) => [keyOfRow(row), row]));
  const kept = before.map(keyOfRow).filter((key) => rows.has(key));
  const isKept = new Set(kept);
  const followers = new Map<string, ListRow[]>();
  let anchor = "";
  for (const row of now) {
    const key = keyOfRow(row);
    if (isKept.has(key)) anchor = key;
    else append(followers, anchor, row);
  }
  const result = [...(followers.get("") ?? [])];
  for (const key of kept) {
    const row = rows.get(key);
    if (row !== undefined) result.push(row, ...(followers.get(key) ?? []));
  }
  return result;
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function worstOf(nodes: readonly LiveNode[]): HealthStatus {
  let worst: HealthStatus = 0;
  for (const node of nodes) if (statusOf(node) > worst) worst = statusOf(node);
  return worst;
}

/** Columns of the list as they leave the page, in the same order, with full names and exact times. */
export function listColumns(store: Pick<EnvironmentStore, "node">, columns: readonly Column[]): readonly TableColumn<LiveNode>[] {
  const ownerOf = (node: LiveNode): LiveNode | undefined => store.node(node.ownerId);
  return columns.map(({ title, exported }) => ({
    key: exported.key,
    title: tLater(exported.title ?? title),
    textOf: (node) => exported.textOf(node, ownerOf),
  }));
}

/** The resources of the rows, whatever heads stand between them. */
export function resourcesOf(rows: readonly ListRow[], store: Pick<EnvironmentStore, "node">): readonly LiveNode[] {
  return rows.flatMap((row) => (row.type === "node" ? (store.node(row.id) ?? []) : []));
}
