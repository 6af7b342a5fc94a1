import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { EdgeSchema, NodeSchema, type Edge, type Node } from "@binnacle/proto/dashboard";
import { nodeIdOf, type LiveEdge, type LiveNode } from "./live-node.ts";

type Named<T, K extends string> = Omit<T, K | "$typeName" | "$unknown"> & Partial<Record<K, string>>;
/** A node called by a short name. Absent a `ref`, it is of the kind "Any" with its name. */
export type NamedNode = Named<MessageInitShape<typeof NodeSchema>, "id" | "ownerId"> & { readonly id: string };
/** An edge between nodes that are called by short names. */
export type NamedEdge = Named<MessageInitShape<typeof EdgeSchema>, "id" | "from" | "to"> & { readonly id: string };

/** For tests: a view on a server. It gives numbers to what tests call by short names, from `first` on. */
export class MadeView {
  readonly #numbers = new Map<string, number>();
  readonly #first: number;

  constructor(first = 1) {
    this.#first = first;
  }

  number(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size + this.#first;
    this.#numbers.set(name, number);
    return number;
  }

  numbers(names: readonly string[]): number[] {
    return names.map((name) => this.number(name));
  }

  nodes(nodes: readonly NamedNode[]): Node[] {
    return nodes.map(({ id, ownerId = "", ref = refOf(id), ...rest }) =>
      create(NodeSchema, { ...rest, ref, id: this.number(id), ownerId: ownerId === "" ? 0 : this.number(ownerId) }),
    );
  }

  edges(edges: readonly NamedEdge[]): Edge[] {
    return edges.map(({ id, from = "", to = "", ...rest }) =>
      create(EdgeSchema, { ...rest, id: this.number(id), from: this.number(from), to: this.number(to) }),
    );
  }
}

/** For tests: the id that pages know a node by which tests call by a short name. */
export function madeId(name: string): string {
  return nodeIdOf(refOf(name));
}

/** For tests: a node as pages know it, whatever its id is. */
export function madeNode({ id, ownerId = "", ...rest }: NamedNode): LiveNode {
  return { ...create(NodeSchema, rest), id, ownerId, life: 1 };
}

/** For tests: an edge as pages know it. */
export function madeEdge({ id, from = "", to = "", ...rest }: NamedEdge): LiveEdge {
  return { ...create(EdgeSchema, rest), id, from, to };
}

function refOf(name: string): { group: string; kind: string; namespace: string; name: string } {
  return { group: "", kind: "Any", namespace: "", name };
}
