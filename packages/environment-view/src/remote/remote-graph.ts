import { readMessage } from "@binnacle/proto/read-message";
import { EdgeSchema, NodeSchema, type Edge, type Node } from "@binnacle/proto/dashboard";
import type { TableChange } from "@binnacle/replica";

import type { ViewState } from "../stream/view-state.ts";

/** Several times what the largest view has. */
const MAX_NODES = 50_000;
const MAX_EDGES = 200_000;
/** Owners above a node. */
const MAX_OWNERS = 64;

type Entry = TableChange["entries"][number];

interface NamedNode {
  readonly number: number;
  readonly name: string;
  readonly node: Node;
}

interface NamedEdge {
  readonly number: number;
  readonly name: string;
  readonly edge: Edge;
}

/**
 * Nodes and edges of a view that another program makes, in numbers of the view that shows them. An entry that cannot be read, or that
 * contradicts another, is not shown, and is read again with every change: when the other says something else, it is what it says.
 */
export class RemoteGraph {
  readonly #state: ViewState;
  /** What the other calls by a number. */
  readonly #nodes = new Map<number, NamedNode>();
  readonly #numbers = new Map<string, number>();
  readonly #edges = new Map<number, NamedEdge>();
  readonly #edgeNumbers = new Map<string, number>();
  /** Edges that end at a node, by numbers of the other. */
  readonly #edgesOf = new Map<number, Set<number>>();
  readonly #shown = new Map<string, Node>();
  /** Keys of nodes that could not be read. */
  readonly #gaps = new Set<string>();
  /** Keys of what contradicted something else. */
  readonly #again = new Set<string>();

  constructor(state: ViewState) {
    this.#state = state;
  }

  /** What is shown, in numbers of the other. */
  nodes(): Iterable<Node> {
    return this.#shown.values();
  }

  /** Some of what the other program has sent is not shown. */
  get hasGaps(): boolean {
    return this.#gaps.size > 0;
  }

  /** Takes in what has changed. @param valueOf an entry as it is now */
  put(change: TableChange, valueOf: (key: string) => Uint8Array | undefined): void {
    const before = change.reset ? this.#forget() : undefined;
    for (const key of change.removed) this.#leave(key);
    const nodes = this.#readNodes(this.#toRead(change, "n/", valueOf));
    const edges = new Map(this.#readEdges(this.#toRead(change, "e/", valueOf)).map((each) => [each.number, each]));
    for (const name of before?.edges ?? []) if (!this.#edgeNumbers.has(name)) this.#state.removeEdge(name);
    for (const name of before?.nodes ?? []) if (!this.#numbers.has(name)) this.#removeNode(name);
    this.#leaveBehind(nodes, edges);
    for (const { name, node } of nodes) {
      this.#shown.set(name, node);
      this.#state.putNode(this.#renumbered(node, name));
    }
    for (const { edge, name } of edges.values()) this.#putEdge(edge, name);
  }

  /** What is new, and what could not be understood before. */
  #toRead({ entries }: TableChange, kind: "n/" | "e/", valueOf: (key: string) => Uint8Array | undefined): Entry[] {
    const changed = entries.filter(({ key }) => key.startsWith(kind));
    const keys = new Set(changed.map(({ key }) => key));
    const again = [...this.#again].filter((key) => key.startsWith(kind) && !keys.has(key));
    for (const key of again) this.#again.delete(key);
    return [
      ...changed,
      ...again.flatMap((key) => {
        const value = valueOf(key);
        return value === undefined ? [] : [{ key, value }];
      }),
    ];
  }

  #readNodes(entries: readonly Entry[]): NamedNode[] {
    const read: NamedNode[] = [];
    for (const { key, value } of entries) {
      const number = numberIn(key);
      const node = number === undefined ? undefined : readMessage(NodeSchema, value);
      const name = node && nameOf(node);
      this.#gaps.delete(key);
      if (number === undefined || this.#nodes.get(number)?.name !== name) this.#dropNode(number);
      if (number === undefined || node === undefined || name === undefined) this.#gaps.add(key);
      else read.push({ number, name, node: { ...node, id: number } });
    }
    // All old names have left before any is given.
    return read.filter((each) => this.#claim(each));
  }

  #claim(each: NamedNode): boolean {
    const { number, name } = each;
    const key = `n/${number}`;
    if ((this.#numbers.get(name) ?? number) !== number || (!this.#nodes.has(number) && this.#nodes.size >= MAX_NODES)) {
      this.#gaps.add(key);
      this.#again.add(key);
      return false;
    }
    this.#nodes.set(number, each);
    this.#numbers.set(name, number);
    return true;
  }

  #readEdges(entries: readonly Entry[]): NamedEdge[] {
    const read: NamedEdge[] = [];
    for (const { key, value } of entries) {
      const number = numberIn(key);
      const edge = number === undefined ? undefined : readMessage(EdgeSchema, value);
      const name = edge && this.#nameOfEdge(edge);
      if (number === undefined || this.#edges.get(number)?.name !== name) this.#dropEdge(number);
      if (number === undefined || edge === undefined) continue;
      const isOther = name !== undefined && (this.#edgeNumbers.get(name) ?? number) !== number;
      // Its ends may come later.
      if (name === undefined || isOther || this.#edges.size >= MAX_EDGES) {
        this.#again.add(key);
        continue;
      }
      const named = { number, name, edge };
      this.#edges.set(number, named);
      this.#edgeNumbers.set(name, number);
      for (const end of [edge.from, edge.to]) this.#edgesOf.set(end, (this.#edgesOf.get(end) ?? new Set()).add(number));
      read.push(named);
    }
    return read;
  }

  /** An object that was created anew during an interruption is another one: it gets other numbers, and so do its edges. */
  #leaveBehind(nodes: readonly NamedNode[], edges: Map<number, NamedEdge>): void {
    for (const { number, name, node } of nodes) {
      if (!isAnother(this.#shown.get(name), node)) continue;
      for (const each of this.#edgesAt(number)) {
        this.#state.removeEdge(each.name);
        edges.set(each.number, each);
      }
      this.#removeNode(name);
    }
  }

  /** The other begins anew. @returns names of what is shown */
  #forget(): { readonly nodes: readonly string[]; readonly edges: readonly string[] } {
    const shown = { nodes: [...this.#shown.keys()], edges: [...this.#edgeNumbers.keys()] };
    for (const each of [this.#nodes, this.#numbers, this.#edges, this.#edgeNumbers, this.#edgesOf, this.#gaps, this.#again]) each.clear();
    return shown;
  }

  #leave(key: string): void {
    this.#gaps.delete(key);
    this.#again.delete(key);
    if (key.startsWith("n/")) this.#dropNode(numberIn(key));
    else if (key.startsWith("e/")) this.#dropEdge(numberIn(key));
  }

  /** With its edges, which are read again. */
  #dropNode(number = 0): void {
    const named = this.#nodes.get(number);
    if (named === undefined) return;
    for (const each of this.#edgesAt(number)) {
      this.#dropEdge(each.number);
      this.#again.add(`e/${each.number}`);
    }
    this.#nodes.delete(number);
    this.#numbers.delete(named.name);
    this.#removeNode(named.name);
  }

  #dropEdge(number = 0): void {
    const named = this.#edges.get(number);
    if (named === undefined) return;
    for (const end of [named.edge.from, named.edge.to]) this.#edgesOf.get(end)?.delete(number);
    this.#edges.delete(number);
    this.#edgeNumbers.delete(named.name);
    this.#state.removeEdge(named.name);
  }

  #removeNode(name: string): void {
    this.#shown.delete(name);
    this.#state.removeNode(name);
  }

  #edgesAt(number: number): NamedEdge[] {
    return [...(this.#edgesOf.get(number) ?? [])].flatMap((each) => this.#edges.get(each) ?? []);
  }

  #renumbered(node: Node, name: string): Node {
    const { nodes } = this.#state.numbers;
    const owner = this.#ownerOf(node);
    // What it says of its owner may become true.
    if (owner === undefined && node.ownerId !== 0) this.#again.add(`n/${node.id}`);
    return { ...node, id: nodes.of(name), ownerId: owner === undefined ? 0 : nodes.of(owner) };
  }

  /** @returns `undefined` for a root, and for one that would own itself */
  #ownerOf({ id, ownerId }: Node): string | undefined {
    const owner = this.#nodes.get(ownerId);
    let above = owner?.node;
    for (let steps = 0; above !== undefined && steps < MAX_OWNERS; steps += 1) {
      if (above.id === id) return undefined;
      above = this.#nodes.get(above.ownerId)?.node;
    }
    return above === undefined ? owner?.name : undefined;
  }

  #putEdge(edge: Edge, name: string): void {
    const { nodes, edges } = this.#state.numbers;
    const [from, to] = [edge.from, edge.to].map((number) => nodes.of(this.#nodes.get(number)?.name ?? "")) as [number, number];
    this.#state.putEdge({ ...edge, id: edges.of(name), from, to });
  }

  #nameOfEdge({ from, kind, to }: Edge): string | undefined {
    const [one, other] = [this.#nodes.get(from), this.#nodes.get(to)];
    return one && other && `${one.name} ${kind} ${other.name}`;
  }
}

/** Two objects of one name. What is only referred to was never created. */
function isAnother(before: Node | undefined, { createdAt: after }: Node): boolean {
  return before?.createdAt !== undefined && after !== undefined && before.createdAt.seconds !== after.seconds;
}

function nameOf({ ref }: Node): string | undefined {
  return ref === undefined || ref.kind === "" || ref.name === "" ? undefined : `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
}

/** The number of a node or an edge; 0 is none. */
function numberIn(key: string): number | undefined {
  const number = Number(key.slice(2));
  return Number.isInteger(number) && number > 0 && number < 2 ** 32 ? number : undefined;
}
