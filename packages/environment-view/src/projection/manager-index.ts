import { managerOf, type GraphNode, type ResourceGraph } from "@binnacle/graph";
import { ManagedBySchema, type ManagedBy } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

/** Who applied each node: the mark on the object itself, else that of the nearest owner that has one. */
export class ManagerIndex {
  readonly #graph: ResourceGraph;
  readonly #marks = new Map<string, ManagedBy>();

  constructor(graph: ResourceGraph) {
    this.#graph = graph;
  }

  /** Reads the mark of a node. @returns whether it has changed, so that everything below it is to be looked at again */
  upsert(node: GraphNode): boolean {
    const mark = node.object && managerOf(node.object);
    const before = this.#marks.get(node.id);
    if (before?.tool === mark?.tool && before?.name === mark?.name) return false;
    if (mark === undefined) this.#marks.delete(node.id);
    else this.#marks.set(node.id, create(ManagedBySchema, { ...mark, direct: true }));
    return true;
  }

  remove(id: string): void {
    this.#marks.delete(id);
  }

  of(id: string): ManagedBy | undefined {
    const own = this.#marks.get(id);
    if (own !== undefined) return own;
    for (const ancestor of this.#graph.ancestorsOf(id)) {
      const mark = this.#marks.get(ancestor);
      if (mark !== undefined) return { ...mark, direct: false };
    }
    return undefined;
  }
}
