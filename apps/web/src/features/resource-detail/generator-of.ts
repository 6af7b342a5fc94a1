import type { Node } from "@binnacle/proto/dashboard";

/** The nearest owner that was applied directly, else the topmost one; `undefined` when no owner is in the view. */
export function generatorOf(node: Node, nodeOf: (id: string) => Node | undefined): Node | undefined {
  const seen = new Set([node.id]);
  let top: Node | undefined;
  for (let owner = nodeOf(node.ownerId); owner !== undefined && !seen.has(owner.id); owner = nodeOf(owner.ownerId)) {
    if (owner.managedBy?.direct === true) return owner;
    seen.add(owner.id);
    top = owner;
  }
  return top;
}
