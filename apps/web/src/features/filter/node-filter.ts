import type { LiveNode } from "../live/live-node.ts";
import { keyOfStatus, statusOf } from "../live/health-status.ts";

/** What the list and the tree show of the view. */
export interface NodeFilter {
  readonly q: string;
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  /** Words as `keyOfStatus` gives them. */
  readonly health: readonly string[];
  readonly onlyProblems: boolean;
  /** "direct", "generated" or "foreign"; anything else does not filter. */
  readonly managed?: string;
}

/** What the address says when nothing is filtered. */
export const NO_FILTERS = { q: "", namespaces: [], kinds: [], health: [], onlyProblems: false, managed: "", around: "" } as const;

/** Whether a resource matches; the search looks at name, kind, reason, images and what manages it. */
export function matches(node: LiveNode, filter: NodeFilter): boolean {
  const ref = node.ref;
  if (filter.namespaces.length > 0 && !filter.namespaces.includes(ref?.namespace ?? "")) return false;
  if (filter.kinds.length > 0 && !filter.kinds.includes(ref?.kind ?? "")) return false;
  const status = statusOf(node);
  if (filter.health.length > 0 && !filter.health.includes(keyOfStatus(status))) return false;
  if (filter.onlyProblems && status < 4) return false;
  if (!isManagedAs(node, filter.managed ?? "")) return false;
  return hasText(node, filter.q);
}

/** A Helm release by itself names no repository, so what it manages is not from Git. */
function isManagedAs({ managedBy }: LiveNode, managed: string): boolean {
  const isFromTool = managedBy !== undefined && managedBy.tool !== "helm";
  if (managed === "direct") return isFromTool && managedBy.direct;
  if (managed === "generated") return isFromTool && !managedBy.direct;
  return managed !== "foreign" || !isFromTool;
}

/** Whether any text of a resource contains the search text. An empty text matches everything. */
export function hasText(node: LiveNode, looked: string): boolean {
  const q = looked.trim().toLowerCase();
  if (q === "") return true;
  const { ref } = node;
  return [ref?.name, ref?.kind, node.health?.reason, node.managedBy?.name, ...node.images].some(
    (text) => text?.toLowerCase().includes(q) === true,
  );
}
