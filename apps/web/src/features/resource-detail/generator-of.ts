import type { LiveNode } from "../live/live-node.ts";

/** The nearest owner that was applied directly, else the topmost one; `undefined` when no owner is in the view. */
export function generatorOf(node: LiveNode, nodeOf: (id: string) => LiveNode | undefined): LiveNode | undefined {
  const seen = new Set([node.id]);
  let top: LiveNode | undefined;
  for (let owner = nodeOf(node.ownerId); owner !== undefined && !seen.has(owner.id); owner = nodeOf(owner.ownerId)) {
    if (owner.managedBy?.direct === true) return owner;
    seen.add(owner.id);
    top = owner;
  }
  return top;
}
