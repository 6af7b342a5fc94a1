import type { HealthStatus, Node } from "@binnacle/proto/dashboard";
import { keyOfStatus, statusOf } from "../live/health-status.ts";

/** What the list shows of the graph; the same filter as the graph's, and a search on top. */
export interface ListFilter {
  readonly q: string;
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  /** Words as `keyOfStatus` gives them. */
  readonly health: readonly string[];
  readonly onlyProblems: boolean;
  /** "direct" or "generated"; anything else does not filter. */
  readonly managed?: string;
}

/** A line of the list: a resource, or the head of a group. */
export type ListRow =
  | { readonly type: "node"; readonly id: string }
  | { readonly type: "group"; readonly kind: string; readonly count: number; readonly worst: HealthStatus };

/** Whether a resource matches; the search looks at name, kind, reason, images and what manages it. */
export function matches(node: Node, filter: ListFilter): boolean {
  const ref = node.ref;
  if (filter.namespaces.length > 0 && !filter.namespaces.includes(ref?.namespace ?? "")) return false;
  if (filter.kinds.length > 0 && !filter.kinds.includes(ref?.kind ?? "")) return false;
  const status = statusOf(node);
  if (filter.health.length > 0 && !filter.health.includes(keyOfStatus(status))) return false;
  if (filter.onlyProblems && status < 4) return false;
  if (filter.managed === "direct" && node.managedBy?.direct !== true) return false;
  if (filter.managed === "generated" && node.managedBy?.direct !== false) return false;
  const q = filter.q.trim().toLowerCase();
  if (q === "") return true;
  return [ref?.name, ref?.kind, node.health?.reason, node.managedBy?.name, ...node.images].some(
    (text) => text?.toLowerCase().includes(q) === true,
  );
}

/** Lines in order: worst first, then kind and name; by kind with heads when grouped. */
export function listRows(nodes: Iterable<Node>, filter: ListFilter, grouped: boolean): readonly ListRow[] {
  const found = [...nodes].filter((node) => matches(node, filter)).sort(byWorst);
  if (!grouped) return found.map((node) => ({ type: "node", id: node.id }));
  const groups = new Map<string, Node[]>();
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

function byWorst(left: Node, right: Node): number {
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
