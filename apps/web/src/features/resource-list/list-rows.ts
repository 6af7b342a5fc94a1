import type { HealthStatus } from "@binnacle/proto/dashboard";
import type { LiveNode } from "../live/live-node.ts";
import { matches, type NodeFilter } from "../filter/node-filter.ts";
import { statusOf } from "../live/health-status.ts";

/** A line of the list: a resource, or the head of a group. */
export type ListRow =
  | { readonly type: "node"; readonly id: string }
  | { readonly type: "group"; readonly kind: string; readonly count: number; readonly worst: HealthStatus };

/** Lines in order: worst first, then kind and name; by kind with heads when grouped. */
export function listRows(nodes: Iterable<LiveNode>, filter: NodeFilter, grouped: boolean): readonly ListRow[] {
  const found = [...nodes].filter((node) => matches(node, filter)).sort(byWorst);
  if (!grouped) return found.map((node) => ({ type: "node", id: node.id }));
  const groups = new Map<string, LiveNode[]>();
  for (const node of found) {
    const kind = node.ref?.kind ?? "";
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [node]);
    else group.push(node);
  }
  return [...groups].flatMap(([kind, members]): ListRow[] => [
    { type: "group", kind, count: members.length, worst: members[0] === undefined ? 0 : statusOf(members[0]) },
    ...members.map((node): ListRow => ({ type: "node", id: node.id })),
  ]);
}

function byWorst(left: LiveNode, right: LiveNode): number {
  return (
    statusOf(right) - statusOf(left) ||
    compare(left.ref?.kind, right.ref?.kind) ||
    compare(left.ref?.name, right.ref?.name) ||
    compare(left.id, right.id)
  );
}

function compare(left = "", right = ""): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
