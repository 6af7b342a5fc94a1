import type { GraphChanges, GraphEdge, GraphNode } from "@binnacle/graph";
import { boundedWords, type HealthNotice } from "@binnacle/health";
import { words } from "@binnacle/words";

/** Maximum number that is reported of one node: the others have the same fix. */
const MAX_NOTICES = 8;

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

/**
 * Notices about references of a node to ports that are not there.
 *
 * @param edges references to Services without the port that they name
 * @param nodeOf the node of an id
 */
export function portNotices(
  { kind, name }: GraphNode,
  edges: readonly GraphEdge[],
  nodeOf: (id: string) => GraphNode | undefined,
): HealthNotice[] {
  return edges.slice(0, MAX_NOTICES).map(({ to, missingPorts = [] }) => {
    const service = nodeOf(to);
    const facts = {
      kind,
      name,
      backend: service?.name ?? "",
      namespace: service?.namespace ?? "",
      count: missingPorts.length,
      ports: missingPorts,
    };
    return {
      reason: "PortMissing",
      message: boundedWords(words("network/port-missing", facts)),
      nextStep: boundedWords(words("network/port-missing/next", facts)),
    };
  });
}
