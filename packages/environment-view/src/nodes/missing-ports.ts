import type { GraphChanges, GraphEdge } from "@binnacle/graph";

/** References to ports that their Services do not have. */
export class MissingPorts {
  readonly #edges = new Map<string, GraphEdge>();
  readonly #ofHolder = new Map<string, Set<string>>();

  /** @returns ids of the nodes that hold other such references now */
  apply({ upsertedEdges, removedEdges }: Pick<GraphChanges, "upsertedEdges" | "removedEdges">): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const id of removedEdges) this.#forget(id, changed);
    for (const edge of upsertedEdges) {
      this.#forget(edge.id, changed);
      if (!edge.portMissing) continue;
      this.#edges.set(edge.id, edge);
      const ids = this.#ofHolder.get(edge.from) ?? new Set();
      this.#ofHolder.set(edge.from, ids.add(edge.id));
      changed.add(edge.from);
    }
    return changed;
  }

  /** Those of one node, by id. */
  of(holder: string): readonly GraphEdge[] {
    return [...(this.#ofHolder.get(holder) ?? [])].toSorted().flatMap((id) => this.#edges.get(id) ?? []);
  }

  #forget(id: string, changed: Set<string>): void {
    const edge = this.#edges.get(id);
    if (edge === undefined) return;
    this.#edges.delete(id);
    changed.add(edge.from);
    const ids = this.#ofHolder.get(edge.from);
    ids?.delete(id);
    if (ids?.size === 0) this.#ofHolder.delete(edge.from);
  }
}
