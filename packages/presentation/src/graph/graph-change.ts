import type { LiveEdge, LiveNode } from "./live-node.ts";
import { isSameMessage } from "./same-message.ts";

/** What changed in a graph. An id stands in at most one of the upserted and the removed of its sort. */
export interface GraphChange {
  readonly nodes: Map<string, LiveNode>;
  readonly removedNodes: Set<string>;
  readonly edges: Map<string, LiveEdge>;
  readonly removedEdges: Set<string>;
}

/** Nothing. */
export function emptyChange(): GraphChange {
  return { nodes: new Map(), removedNodes: new Set(), edges: new Map(), removedEdges: new Set() };
}

/** `later` after `earlier`, as one change; `earlier` is used up. */
export function mergeChange(earlier: GraphChange, later: GraphChange): GraphChange {
  merge(earlier.nodes, earlier.removedNodes, { upserted: later.nodes, removed: later.removedNodes });
  merge(earlier.edges, earlier.removedEdges, { upserted: later.edges, removed: later.removedEdges });
  return earlier;
}

/** What a fresh snapshot changes: after a reconnect most nodes are what they were and must not render again. */
export function changeBetween(
  before: { readonly nodes: ReadonlyMap<string, LiveNode>; readonly edges: ReadonlyMap<string, LiveEdge> },
  after: { readonly nodes: Iterable<LiveNode>; readonly edges: Iterable<LiveEdge> },
): GraphChange {
  const [nodes, removedNodes] = difference(before.nodes, after.nodes);
  const [edges, removedEdges] = difference(before.edges, after.edges);
  return { nodes, removedNodes, edges, removedEdges };
}

function merge<T>(
  upserted: Map<string, T>,
  removed: Set<string>,
  later: { readonly upserted: ReadonlyMap<string, T>; readonly removed: ReadonlySet<string> },
): void {
  for (const [id, value] of later.upserted) {
    upserted.set(id, value);
    removed.delete(id);
  }
  for (const id of later.removed) {
    if (later.upserted.has(id)) continue;
    upserted.delete(id);
    removed.add(id);
  }
}

function difference<T extends LiveNode | LiveEdge>(before: ReadonlyMap<string, T>, after: Iterable<T>): [Map<string, T>, Set<string>] {
  const [upserted, removed] = [new Map<string, T>(), new Set(before.keys())];
  for (const value of after) {
    removed.delete(value.id);
    const old = before.get(value.id);
    if (old === undefined || !isSameMessage(old, value)) upserted.set(value.id, value);
  }
  return [upserted, removed];
}
