import type { InputNode } from "./graph-input.ts";

/** The ownership forest over the nodes that are there. */
export interface Forest {
  /** Id of the topmost owner of a node; the node itself when it has none. */
  readonly rootOf: (id: string) => string;
  /** Direct children, by kind and name. */
  readonly childrenOf: (id: string) => readonly InputNode[];
  /** A node and everything below it, parents first. */
  readonly treeOf: (id: string) => readonly InputNode[];
}

const NONE: readonly InputNode[] = [];

/** Builds the forest. Owners that are not there, and cycles, make roots. Linear. */
export function forestOf(nodes: ReadonlyMap<string, InputNode>): Forest {
  const children = new Map<string, InputNode[]>();
  for (const node of nodes.values()) {
    if (node.ownerId === "" || !nodes.has(node.ownerId)) continue;
    const list = children.get(node.ownerId);
    if (list === undefined) children.set(node.ownerId, [node]);
    else list.push(node);
  }
  for (const list of children.values()) list.sort(byKindAndName);
  const roots = new Map<string, string>();
  const rootOf = (id: string): string => {
    const path: string[] = [];
    const seen = new Set<string>();
    let at = id;
    for (;;) {
      const known = roots.get(at);
      const owner = nodes.get(at)?.ownerId ?? "";
      if (known !== undefined) at = known;
      else if (owner !== "" && nodes.has(owner) && !seen.has(owner)) {
        path.push(at);
        seen.add(at);
        at = owner;
        continue;
      }
      break;
    }
    for (const each of path) roots.set(each, at);
    return at;
  };
  const childrenOf = (id: string): readonly InputNode[] => children.get(id) ?? NONE;
  return { rootOf, childrenOf, treeOf: (id) => treeOf(nodes, childrenOf, id) };
}

/** By kind, then name, then id: an order that no update changes. */
function byKindAndName(left: InputNode, right: InputNode): number {
  return compare(left.kind, right.kind) || compare(left.name, right.name) || compare(left.id, right.id);
}

/** Order of code units, -1, 0 or 1: the same on every machine. */
export function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function treeOf(nodes: ReadonlyMap<string, InputNode>, childrenOf: (id: string) => readonly InputNode[], id: string): readonly InputNode[] {
  const root = nodes.get(id);
  if (root === undefined) return NONE;
  const seen = new Set([id]);
  const found = [root];
  for (let index = 0; index < found.length; index += 1) {
    const at = found[index];
    if (at === undefined) break;
    for (const child of childrenOf(at.id)) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      found.push(child);
    }
  }
  return found;
}
