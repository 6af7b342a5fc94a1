import type { ViewEdge, ViewEnvironmentHealth, ViewMessage, ViewNode } from "../src/index.ts";

/** What a view shows, in an order that does not depend on what came first. */
export interface ViewPicture {
  readonly nodes: readonly ViewNode[];
  readonly edges: readonly ViewEdge[];
  readonly health: ViewEnvironmentHealth | undefined;
}

/** A subscriber that keeps what the messages add up to. */
export class PictureReader {
  readonly #nodes = new Map<string, ViewNode>();
  readonly #edges = new Map<string, ViewEdge>();
  #health: ViewEnvironmentHealth | undefined;
  #complete = false;

  /** Takes a message in. */
  take(message: ViewMessage): void {
    if (message.kind === "snapshot") {
      this.#nodes.clear();
      this.#edges.clear();
    }
    const { nodes, edges } = message.kind === "snapshot" ? message : { nodes: message.upsertedNodes, edges: message.upsertedEdges };
    for (const node of nodes) this.#nodes.set(node.id, node);
    for (const edge of edges) this.#edges.set(edge.id, edge);
    if (message.kind === "delta") {
      for (const id of message.removedNodes) this.#nodes.delete(id);
      for (const id of message.removedEdges) this.#edges.delete(id);
    }
    this.#health = message.health ?? this.#health;
    this.#complete = message.complete ?? this.#complete;
  }

  /** Every source has answered once. */
  get complete(): boolean {
    return this.#complete;
  }

  get picture(): ViewPicture {
    const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);
    return {
      nodes: [...this.#nodes.values()].toSorted(byId),
      edges: [...this.#edges.values()].toSorted(byId),
      health: this.#health,
    };
  }

  /** The node of an object, "Pod single" or the first of "Pod web-*"; `undefined` when the view does not show it. */
  find(title: string): ViewNode | undefined {
    const [kind = "", name = ""] = title.split(" ");
    const stem = name.endsWith("*") ? name.slice(0, -1) : undefined;
    return [...this.#nodes.values()].find(
      ({ ref }) => ref.kind === kind && (stem === undefined ? ref.name === name : ref.name.startsWith(stem)),
    );
  }
}
