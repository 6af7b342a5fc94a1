import { forEachValue, withoutValue, withValue } from "./bag.ts";
import { classOf, isControllerEdge, isTreeEdge } from "./edge-entry.ts";
import { forEachOut } from "./edge-lists.ts";
import type { Ring, Vertex } from "./vertex.ts";

/**
 * Every node has at most one preferred owner; this class makes a forest of them. A ring is cut at the edge to its smallest id,
 * whatever the order of updates. Every walk is a loop, and costs the depth of the tree.
 */
export class OwnerForest {
  readonly #rings = new Set<Ring>();

  /**
   * Changes preferred owners; `undefined` removes one.
   *
   * @returns nodes whose parent may have changed
   */
  update(changes: readonly (readonly [Vertex, Vertex | undefined])[]): Set<Vertex> {
    const touched = new Set<Vertex>();
    const moved: Vertex[] = [];
    for (const [node, parent] of changes) {
      const before = node.preferredOwner;
      if (before === parent) continue;
      this.#forgetRing(node, touched);
      if (before !== undefined) before.children = withoutValue(before.children, node);
      if (parent !== undefined) parent.children = withValue(parent.children, node);
      node.preferredOwner = parent;
      touched.add(node);
      moved.push(node);
    }
    for (const node of moved) this.#cutRing(node, touched);
    return touched;
  }

  /** Rings that had to be cut. */
  rings(): readonly Ring[] {
    return [...this.#rings];
  }

  /** Removes the ring that the node is in: one of its edges changes, so that it is none any more. */
  #forgetRing(node: Vertex, touched: Set<Vertex>): void {
    const { ring } = node;
    if (ring === undefined) return;
    for (const member of ring.members) member.ring = undefined;
    this.#rings.delete(ring);
    touched.add(ring.cut);
  }

  #cutRing(start: Vertex, touched: Set<Vertex>): void {
    if (!leadsToRing(start)) return;
    const path = new Map<Vertex, number>();
    let node: Vertex | undefined = start;
    while (node !== undefined && !path.has(node) && node.ring === undefined) {
      path.set(node, path.size);
      node = node.preferredOwner;
    }
    const entry = node === undefined ? undefined : path.get(node);
    if (entry === undefined) return;
    const members = [...path.keys()].slice(entry);
    const smallest = members.reduce((least, each) => (each.id < least.id ? each : least));
    const cut = members.find((each) => each.preferredOwner === smallest) ?? smallest;
    const ring: Ring = { members, cut };
    this.#rings.add(ring);
    for (const member of members) member.ring = ring;
    touched.add(cut);
  }
}

/** Parent in the forest. */
export function parentOf(node: Vertex): Vertex | undefined {
  return node.ring?.cut === node ? undefined : node.preferredOwner;
}

/** Ancestors, nearest first. */
export function ancestorsOf(node: Vertex): Vertex[] {
  const ancestors: Vertex[] = [];
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) ancestors.push(parent);
  return ancestors;
}

/** All nodes below, breadth first. */
export function descendantsOf(node: Vertex): Vertex[] {
  const found: Vertex[] = [];
  const add = (child: Vertex): void => {
    if (child.ring?.cut !== child) found.push(child);
  };
  forEachValue(node.children, add);
  // The list grows while it is walked; a forest has no rings, so it ends.
  for (const each of found) forEachValue(each.children, add);
  return found;
}

/** Whether the preferred owners above a node form a ring that is not known yet. Needs no memory (Brent's algorithm). */
function leadsToRing(start: Vertex): boolean {
  let landmark = start;
  let node = start.preferredOwner;
  for (let steps = 1, limit = 1; node !== undefined && node.ring === undefined; steps += 1) {
    if (node === landmark) return true;
    if (steps === limit) [landmark, limit, steps] = [node, limit * 2, 0];
    node = node.preferredOwner;
  }
  return false;
}

/** The owner of a node, before rings are cut: the controller first, then real owners, then the smallest id. */
export function preferredOwner(vertex: Vertex): Vertex | undefined {
  let best: { readonly rank: number; readonly to: Vertex } | undefined;
  forEachOut(vertex, (edge) => {
    const { to } = edge;
    if (!isTreeEdge(edge) || to.entry === undefined || to === vertex) return;
    const rank = isControllerEdge(edge) ? 0 : classOf(edge) === "owner" ? 1 : 2;
    if (best === undefined || rank < best.rank || (rank === best.rank && to.id < best.to.id)) best = { rank, to };
  });
  return best?.to;
}
