import { edgeIdOf } from "./edge-entry.ts";
import type { GraphChanges, GraphEdge, GraphNode } from "./graph-model.ts";
import type { EdgeEntry, Vertex } from "./vertex.ts";

/** How things are now, by id. */
export interface CurrentState {
  readonly node: (id: string) => GraphNode | undefined;
  readonly edge: (touched: EdgeEntry) => GraphEdge | undefined;
}

/** What was touched since the last look, and what was seen then; says only what is different. */
export class ChangeLog {
  /** Each once, by its mark; one that went and came again is two of the same id. */
  readonly #nodes: Vertex[] = [];
  readonly #edges: EdgeEntry[] = [];
  readonly #dependents = new Set<string>();
  readonly #seenNodes = new Map<string, GraphNode>();
  readonly #seenEdges = new Map<string, GraphEdge>();

  /** A node may have changed, come or gone. */
  touchNode(vertex: Vertex): void {
    if (vertex.isTouched) return;
    vertex.isTouched = true;
    this.#nodes.push(vertex);
  }

  /** An edge may have changed, come or gone. */
  touchEdge(edge: EdgeEntry): void {
    if (edge.isTouched) return;
    edge.isTouched = true;
    this.#edges.push(edge);
  }

  /** A node is the same, but what its health looks at is not. */
  noteDependent(id: string): void {
    this.#dependents.add(id);
  }

  /** Nodes that were touched. */
  touchedNodes(): readonly Vertex[] {
    return this.#nodes;
  }

  /** The difference to the last look; forgets what was touched. */
  take(current: CurrentState): GraphChanges {
    const ids = new Set(this.#nodes.map(({ id }) => id));
    const nodes = difference(ids, { seen: this.#seenNodes, now: current.node, same: sameNode });
    const touched = new Map(this.#edges.map((edge) => [edgeIdOf(edge), edge]));
    const edgeNow = (id: string): GraphEdge | undefined => {
      const edge = touched.get(id);
      return edge === undefined ? undefined : current.edge(edge);
    };
    const edges = difference(touched.keys(), { seen: this.#seenEdges, now: edgeNow, same: sameEdge });
    const upserted = new Set(nodes.upserted.map(({ id }) => id));
    const dependents = [...this.#dependents].filter((id) => !upserted.has(id) && current.node(id)?.presence === "present").sort();
    this.#forget();
    return {
      upsertedNodes: nodes.upserted,
      removedNodes: nodes.removed,
      upsertedEdges: edges.upserted,
      removedEdges: edges.removed,
      dependents,
    };
  }

  #forget(): void {
    for (const vertex of this.#nodes) vertex.isTouched = false;
    this.#nodes.length = 0;
    for (const edge of this.#edges) edge.isTouched = false;
    this.#edges.length = 0;
    this.#dependents.clear();
  }
}

interface Comparison<T> {
  readonly seen: Map<string, T>;
  readonly now: (id: string) => T | undefined;
  readonly same: (left: T, right: T) => boolean;
}

function difference<T>(touched: Iterable<string>, { seen, now, same }: Comparison<T>): { upserted: T[]; removed: string[] } {
  const upserted: T[] = [];
  const removed: string[] = [];
  for (const id of [...touched].sort()) {
    const [before, after] = [seen.get(id), now(id)];
    if (after === undefined) {
      if (seen.delete(id)) removed.push(id);
    } else if (before === undefined || !same(before, after)) {
      seen.set(id, after);
      upserted.push(after);
    }
  }
  return { upserted, removed };
}

function sameNode(left: GraphNode, right: GraphNode): boolean {
  return (
    left.object === right.object && left.ownerId === right.ownerId && left.presence === right.presence && left.version === right.version
  );
}

function sameEdge(left: GraphEdge, right: GraphEdge): boolean {
  return (
    left.missing === right.missing &&
    left.optional === right.optional &&
    left.class === right.class &&
    left.flowReversed === right.flowReversed &&
    left.refused === right.refused &&
    left.portMissing === right.portMissing &&
    left.ready === right.ready &&
    left.weight === right.weight &&
    left.share === right.share &&
    left.missingPorts?.join() === right.missingPorts?.join() &&
    left.fieldPaths.length === right.fieldPaths.length &&
    left.fieldPaths.every((path, index) => path === right.fieldPaths[index])
  );
}
