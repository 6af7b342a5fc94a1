import type { Delta, Edge, Node } from "@binnacle/proto/dashboard";
import { millisOf } from "../text/format-time.ts";
import { emptyChange, type GraphChange } from "./graph-change.ts";
import { nodeIdOf, type LiveNode } from "./live-node.ts";

/** What of a delta is about nodes and edges. */
type Change = Pick<Delta, "upsertedNodes" | "upsertedEdges" | "removedNodes" | "removedEdges">;

/** What is shown of a node, if it is shown. */
type Shown = (id: string) => LiveNode | undefined;

let lives = 0;

/**
 * What the numbers of one view stand for. A server may say what it likes: a number that is not known stands for nothing, one that is
 * used again stands for the last, and an edge waits for its ends.
 */
export class ViewNumbers {
  readonly #nodes = new NumberedIds();
  readonly #edges = new NumberedIds();
  /** Edges of which an end was not named yet. */
  readonly #waiting = new Map<number, Edge>();

  /** The first picture of the view, by names. */
  begin(nodes: Iterable<Node>, edges: Iterable<Edge>, shown: Shown): Pick<GraphChange, "nodes" | "edges"> {
    return this.change({ upsertedNodes: [...nodes], upsertedEdges: [...edges], removedNodes: [], removedEdges: [] }, shown, true);
  }

  /**
   * What has changed, by names.
   *
   * @param isOtherView what is shown is from another view, whose numbers say nothing
   */
  change(change: Change, shown: Shown, isOtherView = false): GraphChange {
    const all = emptyChange();
    for (const number of change.removedEdges) {
      this.#waiting.delete(number);
      all.removedEdges.add(this.#edges.forget(number));
    }
    for (const number of change.removedNodes) all.removedNodes.add(this.#nodes.forget(number));
    const named = change.upsertedNodes.flatMap((node) => this.#name(node, all));
    for (const { node, id, isKnown } of named) {
      const before = shown(id);
      const isSame = before !== undefined && (isOtherView ? isOfSameTime(before, node) : isKnown);
      const life = isSame ? before.life : (lives += 1);
      all.nodes.set(id, { ...node, id, ownerId: this.#nodes.idOf(node.ownerId), life });
    }
    const edges = named.length > 0 ? [...this.#waiting.values(), ...change.upsertedEdges] : change.upsertedEdges;
    for (const edge of edges) this.#put(edge, all);
    for (const id of ["", ...all.nodes.keys()]) all.removedNodes.delete(id);
    for (const id of ["", ...all.edges.keys()]) all.removedEdges.delete(id);
    return all;
  }

  #name(node: Node, all: GraphChange): { readonly node: Node; readonly id: string; readonly isKnown: boolean }[] {
    if (node.id === 0 || node.ref === undefined) return [];
    const id = nodeIdOf(node.ref);
    const isKnown = this.#nodes.idOf(node.id) === id;
    all.removedNodes.add(this.#nodes.put(node.id, id));
    return [{ node, id, isKnown }];
  }

  #put(edge: Edge, all: GraphChange): void {
    const [from, to] = [this.#nodes.idOf(edge.from), this.#nodes.idOf(edge.to)];
    if (edge.id === 0) return;
    if (from === "" || to === "") {
      all.removedEdges.add(this.#edges.forget(edge.id));
      this.#waiting.set(edge.id, edge);
      return;
    }
    this.#waiting.delete(edge.id);
    const id = `${from} ${edge.kind} ${to}`;
    all.removedEdges.add(this.#edges.put(edge.id, id));
    all.edges.set(id, { ...edge, id, from, to });
  }
}

/** Whether two views speak of one and the same object: one that was created anew is younger. */
function isOfSameTime(before: LiveNode, now: Node): boolean {
  const [was, is] = [before.createdAt, now.createdAt];
  return was === undefined || is === undefined ? was === is : millisOf(was) === millisOf(is);
}

/** Numbers and what they stand for, each for one. */
class NumberedIds {
  readonly #ids = new Map<number, string>();
  readonly #numbers = new Map<string, number>();

  /** Empty for a number that stands for nothing. */
  idOf(number: number): string {
    return this.#ids.get(number) ?? "";
  }

  /** @returns what nothing stands for any more; empty: nothing */
  put(number: number, id: string): string {
    const left = this.#ids.get(number) === id ? "" : this.forget(number);
    const before = this.#numbers.get(id);
    if (before !== undefined && before !== number) this.#ids.delete(before);
    this.#ids.set(number, id);
    this.#numbers.set(id, number);
    return left;
  }

  /** @returns what it stood for; empty: nothing, or something that another number stands for now */
  forget(number: number): string {
    const id = this.#ids.get(number);
    this.#ids.delete(number);
    if (id === undefined || this.#numbers.get(id) !== number) return "";
    this.#numbers.delete(id);
    return id;
  }
}
