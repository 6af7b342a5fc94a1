import type { LiveNode } from "../../live/live-node.ts";
import { compare } from "../../live/compare.ts";
import { isProblem, statusOf } from "../../live/health-status.ts";

/** One visible line of the tree. */
export interface TreeRow {
  readonly id: string;
  /** From 1. */
  readonly level: number;
  readonly parentId: string;
  /** `undefined` for a leaf. */
  readonly expanded: boolean | undefined;
  readonly position: number;
  readonly siblings: number;
}

/**
 * Visible lines of the ownership tree, worst first. Branches with a problem below are open until somebody closes them.
 *
 * @param toggled nodes whose state a person has turned round
 */
export function treeRows(nodes: ReadonlyMap<string, LiveNode>, toggled: ReadonlySet<string>): readonly TreeRow[] {
  const children = new Map<string, LiveNode[]>();
  for (const node of nodes.values()) {
    const parent = nodes.has(node.ownerId) && node.ownerId !== node.id ? node.ownerId : "";
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [node]);
    else list.push(node);
  }
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const visit = (parentId: string, level: number): void => {
    const list = (children.get(parentId) ?? []).sort(worstFirst);
    for (const [index, node] of list.entries()) {
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      const hasChildren = children.has(node.id);
      const open = isProblem(node.worstBelow) !== toggled.has(node.id);
      rows.push({ id: node.id, level, parentId, expanded: hasChildren ? open : undefined, position: index + 1, siblings: list.length });
      if (hasChildren && open) visit(node.id, level + 1);
    }
  };
  visit("", 1);
  return rows;
}

function worstFirst(left: LiveNode, right: LiveNode): number {
  return (
    Math.max(statusOf(right), right.worstBelow) - Math.max(statusOf(left), left.worstBelow) ||
    compare(left.ref?.kind ?? "", right.ref?.kind ?? "") ||
    compare(left.ref?.name ?? "", right.ref?.name ?? "")
  );
}
