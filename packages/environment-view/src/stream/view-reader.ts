import type { Edge, EnvironmentHealth, Node } from "@binnacle/proto/dashboard";

import { inWords, type InWords } from "./in-words.ts";
import { changeOf, type ViewConnection, type ViewMessage, type ViewSource } from "./view-model.ts";

/** A node in words; its numbers are the names of nodes. */
export interface ReadNode extends Omit<InWords<Node>, "id" | "ownerId" | "ref"> {
  /** "group/Kind/namespace/name". */
  readonly id: string;
  /** Id of its owner; empty for a root. */
  readonly ownerId: string;
  readonly ref: InWords<NonNullable<Node["ref"]>>;
}

/** An edge in words. */
export interface ReadEdge extends Omit<InWords<Edge>, "id" | "from" | "to"> {
  /** "from kind to". */
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** For tests: what the messages of a view add up to, in words. */
export class ViewReader {
  readonly sources = new Map<string, ViewSource>();
  connection: ViewConnection | undefined;
  complete = false;
  messages = 0;
  health: InWords<EnvironmentHealth> | undefined;
  readonly #nodes = new Map<number, Node>();
  readonly #edges = new Map<number, Edge>();

  /** Takes a message in. */
  take(message: ViewMessage): void {
    this.messages += 1;
    const { reset, nodes, edges, sources, removedNodes, removedEdges, removedSources } = changeOf(message);
    if (reset) for (const map of [this.#nodes, this.#edges, this.sources]) map.clear();
    for (const id of removedNodes) this.#nodes.delete(id);
    for (const id of removedEdges) this.#edges.delete(id);
    for (const id of removedSources) this.sources.delete(id);
    for (const node of nodes) this.#nodes.set(node.id, node);
    for (const edge of edges) this.#edges.set(edge.id, edge);
    for (const source of sources) this.sources.set(source.id, source);
    this.health = message.health === undefined ? this.health : inWords(message.health);
    this.connection = message.connection ?? this.connection;
    this.complete = message.complete ?? this.complete;
  }

  /** By id. @throws when two nodes are of one name, or an edge has no end */
  get nodes(): ReadonlyMap<string, ReadNode> {
    const nodes = [...this.#nodes.values()].map((node) => ({ ...textsOf(node), ownerId: this.#nameOf(node.ownerId) }));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    if (byId.size < nodes.length) throw new Error("two nodes of a view are of one name");
    return byId;
  }

  get edges(): ReadonlyMap<string, ReadEdge> {
    const edges = [...this.#edges.values()].map((edge) => {
      const [from, to] = [this.#nameOf(edge.from), this.#nameOf(edge.to)];
      if (from === "" || to === "") throw new Error("an edge has no end");
      return { ...inWords(edge), from, to, id: `${from} ${edge.kind} ${to}` };
    });
    return new Map(edges.map((edge) => [edge.id, edge]));
  }

  /** What the view calls a node. */
  numberOf(id: string): number | undefined {
    return this.#nodes.values().find((node) => nameOf(node) === id)?.id;
  }

  #nameOf(number: number): string {
    const node = this.#nodes.get(number);
    return node === undefined ? "" : nameOf(node);
  }
}

/** A node in words, without what others are called. */
export type NodeTexts = Omit<ReadNode, "ownerId">;

/** For tests: a node alone, in words. */
export function textsOf(node: Node): NodeTexts {
  const { ref, ...words } = inWords(node);
  if (ref === undefined) throw new Error("a node has no name");
  return { ...words, ref, id: nameOf(node) };
}

function nameOf({ ref }: Node): string {
  return `${ref?.group}/${ref?.kind}/${ref?.namespace}/${ref?.name}`;
}
