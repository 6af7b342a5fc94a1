import type { LiveEdge, LiveNode } from "../../live/live-node.ts";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import type { EngineRequest } from "../layout/graph-engine.ts";
import type { EdgeStyle, InputNode } from "../layout/graph-input.ts";
import { inputEdgeOf, inputNodeOf, sameInput, styleOf } from "./graph-input-of.ts";
import { NO_COUNTS } from "./picture.ts";

type Told = Pick<EngineRequest, "nodes" | "edges" | "removedNodes" | "removedEdges">;

interface Change {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly edges: ReadonlyMap<string, LiveEdge>;
  readonly removedNodes: Iterable<string>;
  readonly removedEdges: Iterable<string>;
}

/** What a layout was told of the graph, so that it is told only what is another now. */
export class SentGraph {
  readonly #nodes = new Map<string, InputNode>();
  readonly #styles = new Map<string, EdgeStyle>();

  /** The layout knows nothing. */
  clear(): void {
    this.#nodes.clear();
    this.#styles.clear();
  }

  /** What it has to be told of the change, and the nodes that are new to it. */
  tell(change: Change, store: EnvironmentStore): { readonly told: Told; readonly arriving: readonly string[] } {
    const nodes: InputNode[] = [];
    const arriving: string[] = [];
    const edges = [];
    const removedNodes = [...change.removedNodes].filter((id) => this.#nodes.delete(id));
    for (const node of change.nodes.values()) {
      const input = inputNodeOf(node);
      const before = this.#nodes.get(input.id);
      if (sameInput(before, input)) continue;
      if (before === undefined) arriving.push(input.id);
      this.#nodes.set(input.id, input);
      nodes.push(input);
    }
    const removedEdges = [...change.removedEdges].filter((id) => this.#styles.delete(id));
    for (const edge of change.edges.values()) {
      this.#styles.set(edge.id, styleOf(edge));
      edges.push(inputEdgeOf(edge, store.node(edge.to)));
    }
    return { told: { nodes, edges, removedNodes, removedEdges }, arriving };
  }

  /** Edges by style, folded ones too. */
  edgeCounts(): Readonly<Record<EdgeStyle, number>> {
    const counts = { ...NO_COUNTS };
    for (const style of this.#styles.values()) counts[style] += 1;
    return counts;
  }
}
