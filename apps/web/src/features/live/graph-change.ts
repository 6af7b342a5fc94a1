import { isSameEdge, isSameNode, type LiveEdge, type LiveNode } from "./live-node.ts";

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
  for (const [id, node] of later.nodes) {
    earlier.nodes.set(id, node);
    earlier.removedNodes.delete(id);
  }
  for (const id of later.removedNodes) {
    if (later.nodes.has(id)) continue;
    earlier.nodes.delete(id);
    earlier.removedNodes.add(id);
  }
  for (const [id, edge] of later.edges) {
    earlier.edges.set(id, edge);
    earlier.removedEdges.delete(id);
  }
  for (const id of later.removedEdges) {
    if (later.edges.has(id)) continue;
    earlier.edges.delete(id);
    earlier.removedEdges.add(id);
  }
  return earlier;
}

/** What a fresh snapshot changes: after a reconnect most nodes are what they were and must not render again. */
export function changeBetween(
  before: { readonly nodes: ReadonlyMap<string, LiveNode>; readonly edges: ReadonlyMap<string, LiveEdge> },
  after: { readonly nodes: Iterable<LiveNode>; readonly edges: Iterable<LiveEdge> },
): GraphChange {
  const change = emptyChange();
  const nodeIds = new Set<string>();
  for (const node of after.nodes) {
    nodeIds.add(node.id);
    const old = before.nodes.get(node.id);
    if (old === undefined || !isSameNode(old, node)) change.nodes.set(node.id, node);
  }
  for (const id of before.nodes.keys()) if (!nodeIds.has(id)) change.removedNodes.add(id);
  const edgeIds = new Set<string>();
  for (const edge of after.edges) {
    edgeIds.add(edge.id);
    const old = before.edges.get(edge.id);
    if (old === undefined || !isSameEdge(old, edge)) change.edges.set(edge.id, edge);
  }
  for (const id of before.edges.keys()) if (!edgeIds.has(id)) change.removedEdges.add(id);
  return change;
}
