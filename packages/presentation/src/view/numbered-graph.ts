import type { Delta, Edge, Node, Snapshot } from "@binnacle/proto/dashboard";

/** Nodes and edges as one view of the server numbers them. Deltas change it in place, because it may have ten thousand nodes. */
export class NumberedGraph {
  readonly nodes: Map<number, Node>;
  readonly edges: Map<number, Edge>;

  constructor({ nodes, edges }: Pick<Snapshot, "nodes" | "edges">) {
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    this.edges = new Map(edges.map((edge) => [edge.id, edge]));
  }

  patch(delta: Delta): void {
    for (const id of delta.removedNodes) this.nodes.delete(id);
    for (const node of delta.upsertedNodes) this.nodes.set(node.id, node);
    for (const id of delta.removedEdges) this.edges.delete(id);
    for (const edge of delta.upsertedEdges) this.edges.set(edge.id, edge);
  }
}
