import { managerOf, type GraphNode, type ResourceGraph } from "@binnacle/graph";
import { ManagedBySchema, type ManagedBy } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

import { deployersOf, isDeployingTool, type Deployer } from "../scope/deployer.ts";

/** The tool that applied each node: the mark on the object itself, else that of the nearest owner that has one. */
export class ManagerIndex {
  readonly #graph: ResourceGraph;
  readonly #marks = new Map<string, ManagedBy>();
  /** Marks of tools whose own objects say how a sync stands. */
  readonly #deployed = new Map<string, ManagedBy>();

  constructor(graph: ResourceGraph) {
    this.#graph = graph;
  }

  /** Reads the mark of a node. @returns whether it has changed, so that everything below it is to be looked at again */
  upsert(node: GraphNode): boolean {
    const mark = node.object && managerOf(node.object);
    const before = this.#marks.get(node.id);
    if (before?.tool === mark?.tool && before?.name === mark?.name) return false;
    this.remove(node.id);
    if (mark === undefined) return true;
    const managedBy = create(ManagedBySchema, { ...mark, direct: true });
    this.#marks.set(node.id, managedBy);
    if (isDeployingTool(mark.tool)) this.#deployed.set(node.id, managedBy);
    return true;
  }

  remove(id: string): void {
    this.#marks.delete(id);
    this.#deployed.delete(id);
  }

  /** The tools that deploy some of the nodes. */
  deployers(isCounted: (id: string) => boolean): readonly Deployer[] {
    return deployersOf([...this.#deployed].map(([id, mark]) => (isCounted(id) ? mark : undefined)));
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
