import { compareText } from "./compare-text.ts";

/** What a forest is made of. */
export interface ForestNode {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Id of the owner; empty for a root. */
  readonly ownerId: string;
}

/** The ownership forest over the nodes that are there. */
export interface Forest<N extends ForestNode> {
  /** Id of the owner; `undefined` for a root. */
  readonly parentOf: (id: string) => string | undefined;
  /** Id of the topmost owner of a node; the node itself when it has none. */
  readonly rootOf: (id: string) => string;
  /** Number of owners above a node. */
  readonly depthOf: (id: string) => number;
  /** Direct children, by kind, name and id. */
  readonly childrenOf: (id: string) => readonly N[];
  /** A node and everything below it, parents first; empty for one that is not there. */
  readonly treeOf: (id: string) => readonly N[];
}

/**
 * The forest that `ownerId` makes. Owners that are not there make roots; a ring is cut where `ResourceGraph` would cut it: at
 * the child of its smallest id. Linear but for sorting siblings, without recursion, and independent of the order of the nodes.
 */
export function forestOf<N extends ForestNode>(nodes: ReadonlyMap<string, N>): Forest<N> {
  const parents = new Map<string, string>();
  for (const { id, ownerId } of nodes.values()) if (ownerId !== "" && ownerId !== id && nodes.has(ownerId)) parents.set(id, ownerId);
  cutRings(parents);
  const children = childrenBy(nodes, parents);
  const roots = new Map<string, string>();
  const parentOf = (id: string): string | undefined => parents.get(id);
  const childrenOf = (id: string): readonly N[] => children.get(id) ?? [];
  return { parentOf, childrenOf, rootOf, depthOf, treeOf };

  function rootOf(id: string): string {
    let root = roots.get(id) ?? id;
    for (let at = parents.get(root); at !== undefined; at = parents.get(root)) root = roots.get(at) ?? at;
    for (let at: string | undefined = id; at !== undefined && at !== root && !roots.has(at); at = parents.get(at)) roots.set(at, root);
    return root;
  }

  function depthOf(id: string): number {
    let depth = 0;
    for (let at = parents.get(id); at !== undefined; at = parents.get(at)) depth += 1;
    return depth;
  }

  function treeOf(id: string): readonly N[] {
    const top = nodes.get(id);
    const found = top === undefined ? [] : [top];
    // The list grows while it is walked; a forest has no rings, so it ends.
    for (const each of found) for (const child of childrenOf(each.id)) found.push(child);
    return found;
  }
}

function cutRings(parents: Map<string, string>): void {
  const walkOf = new Map<string, number>();
  let walk = 0;
  for (const start of parents.keys()) {
    walk += 1;
    let at: string | undefined = start;
    for (; at !== undefined && !walkOf.has(at); at = parents.get(at)) walkOf.set(at, walk);
    if (at === undefined || walkOf.get(at) !== walk) continue;
    const ring = [at];
    for (let next = parents.get(at); next !== undefined && next !== at; next = parents.get(next)) ring.push(next);
    const smallest = ring.reduce((least, each) => (each < least ? each : least));
    parents.delete(ring.find((each) => parents.get(each) === smallest) ?? smallest);
  }
}

function childrenBy<N extends ForestNode>(nodes: ReadonlyMap<string, N>, parents: ReadonlyMap<string, string>): ReadonlyMap<string, N[]> {
  const children = new Map<string, N[]>();
  for (const [id, parent] of parents) {
    const node = nodes.get(id);
    if (node === undefined) continue;
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [node]);
    else list.push(node);
  }
  for (const list of children.values()) if (list.length > 1) list.sort(byKindAndName);
  return children;
}

function byKindAndName(left: ForestNode, right: ForestNode): number {
  return compareText(left.kind, right.kind) || compareText(left.name, right.name) || compareText(left.id, right.id);
}
