import type { Delta, Node, Snapshot, Source } from "@binnacle/proto/dashboard";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import { DepartedNodes, type DepartedNode } from "./departed-nodes.ts";
import { changeBetween, emptyChange, mergeChange, type GraphChange } from "@binnacle/presentation/graph/graph-change";
import type { LiveEdge, LiveNode } from "./live-node.ts";
import { NumberedGraph } from "@binnacle/presentation/view/numbered-graph";
import { sourcesByKey, sourcesOf } from "@binnacle/presentation/view/view-facts";
import { ViewNumbers } from "@binnacle/presentation/graph/view-numbers";
import type { GraphAction } from "@binnacle/presentation/view/view-reducer";

/** Nodes and edges of one environment by name, as the actions of the reducer change them. */
export class LiveGraph {
  readonly nodes = new Map<string, LiveNode>();
  readonly edges = new Map<string, LiveEdge>();
  readonly #departed = new DepartedNodes();
  #sources: ReadonlyMap<string, Source> = new Map();
  #numbers = new ViewNumbers();
  /** Of the snapshot that is not shown yet. */
  #pending: NumberedGraph | undefined;
  /** What is shown and was not confirmed since the last reconnect. */
  #unconfirmed = { nodes: new Set<string>(), edges: new Set<string>() };
  #change = emptyChange();
  #revoked = new Set<string>();
  readonly #shown = (id: string): LiveNode | undefined => this.nodes.get(id);

  /** @param atMs when it happens, milliseconds since the epoch */
  apply(action: GraphAction, atMs: number): void {
    switch (action.kind) {
      case "clear":
        this.#departed.clear();
        return this.#become({ nodes: [], edges: [] }, { sources: [], numbers: new ViewNumbers(), isDeletion: false, atMs });
      case "forget-departed":
        return this.#departed.clear();
      case "discard-pending":
        this.#pending = undefined;
        return;
      case "replace":
        return this.#replace(action.snapshot, { ...action, atMs });
      case "patch":
        return this.#patch(action.delta, action.sources, atMs);
      case "begin-pending":
        this.#pending = new NumberedGraph(action.snapshot);
        return this.#hideForbidden(action.snapshot.sources, atMs);
      case "patch-pending":
        this.#pending?.patch(action.delta);
        if (action.delta.upsertedSources.length + action.delta.removedSources.length > 0) this.#hideForbidden(action.sources, atMs);
        return;
      case "show-pending":
        return this.#showPending(action, atMs);
    }
  }

  /** The last known state of what this selection named, when it has left. */
  departed(selection: string): DepartedNode | undefined {
    return this.#departed.of(selection);
  }

  /** What has changed since the last call, and ids of nodes that may not be seen any more. */
  takeChange(): { readonly change: GraphChange; readonly revoked: ReadonlySet<string> } {
    const taken = { change: this.#change, revoked: this.#revoked };
    [this.#change, this.#revoked] = [emptyChange(), new Set()];
    return taken;
  }

  #replace({ nodes, edges, sources }: Snapshot, how: { readonly isDeletion: boolean; readonly atMs: number }): void {
    const numbers = new ViewNumbers();
    const now = numbers.begin(nodes, edges, this.#shown);
    this.#become({ nodes: now.nodes.values(), edges: now.edges.values() }, { ...how, sources, numbers });
  }

  #showPending({ facts, isDeletion }: GraphAction & { readonly kind: "show-pending" }, atMs: number): void {
    if (this.#pending === undefined) return;
    const numbers = new ViewNumbers();
    const now = numbers.begin(this.#pending.nodes.values(), this.#pending.edges.values(), this.#shown);
    const left = facts.complete ? { nodes: [], edges: [] } : this.#leftBy(now, sourcesByKey(facts.sources));
    const all = { nodes: [...now.nodes.values(), ...left.nodes], edges: [...now.edges.values(), ...left.edges] };
    this.#become(all, { sources: facts.sources, numbers, isDeletion, atMs });
    for (const { id } of left.nodes) this.#unconfirmed.nodes.add(id);
    for (const { id } of left.edges) this.#unconfirmed.edges.add(id);
  }

  /** What may still be there beside an incomplete snapshot: nodes of kinds that have not answered in it, and edges between what is left. */
  #leftBy(now: Pick<GraphChange, "nodes" | "edges">, sources: ReadonlyMap<string, Source>): { nodes: LiveNode[]; edges: LiveEdge[] } {
    const isSettled = (node: LiveNode): boolean => {
      const own = sourcesOf(sources, node);
      return own.length > 0 && own.every(({ settled }) => settled !== SettledState.UNSPECIFIED);
    };
    const nodes = [...this.nodes.values()].filter((node) => !now.nodes.has(node.id) && !isSettled(node));
    const there = new Set([...now.nodes.keys(), ...nodes.map(({ id }) => id)]);
    const edges = [...this.edges.values()].filter((edge) => !now.edges.has(edge.id) && there.has(edge.from) && there.has(edge.to));
    return { nodes, edges };
  }

  #become(
    after: { readonly nodes: Iterable<LiveNode>; readonly edges: Iterable<LiveEdge> },
    how: { readonly sources: readonly Source[]; readonly numbers: ViewNumbers; readonly isDeletion: boolean; readonly atMs: number },
  ): void {
    this.#numbers = how.numbers;
    this.#sources = sourcesByKey(how.sources);
    this.#pending = undefined;
    this.#unconfirmed = { nodes: new Set(), edges: new Set() };
    this.#put(changeBetween(this, after), how);
  }

  #patch(delta: Delta, sources: readonly Source[], atMs: number): void {
    const change = this.#numbers.change(delta, this.#shown);
    const { nodes, edges } = this.#unconfirmed;
    for (const id of change.nodes.keys()) nodes.delete(id);
    for (const id of change.edges.keys()) edges.delete(id);
    if (delta.complete) {
      for (const id of nodes) change.removedNodes.add(id);
      for (const id of edges) change.removedEdges.add(id);
      this.#unconfirmed = { nodes: new Set(), edges: new Set() };
    }
    if (delta.upsertedSources.length + delta.removedSources.length > 0) this.#sources = sourcesByKey(sources);
    this.#put(change, { atMs, isDeletion: true });
  }

  /** What may not be seen any more goes at once, however old the rest may be. */
  #hideForbidden(sources: readonly Source[], atMs: number): void {
    const forbidden = sourcesByKey(sources.filter(({ settled }) => settled === SettledState.FORBIDDEN));
    if (forbidden.size === 0) return;
    const nodes = [...this.nodes.values()].filter((node) => sourcesOf(forbidden, node).length > 0).map(({ id }) => id);
    for (const id of nodes) this.#revoked.add(id);
    this.#put({ ...emptyChange(), removedNodes: new Set(nodes) }, { atMs, isDeletion: false });
  }

  #put(change: GraphChange, { isDeletion, atMs }: { readonly isDeletion: boolean; readonly atMs: number }): void {
    const leave = (node: LiveNode): void => {
      if (this.#isForbidden(node)) this.#revoked.add(node.id);
      else if (isDeletion) this.#departed.left(node, atMs);
    };
    for (const id of change.removedNodes) {
      const node = this.nodes.get(id);
      if (node === undefined) continue;
      this.nodes.delete(id);
      leave(node);
    }
    for (const [id, node] of change.nodes) {
      const before = this.nodes.get(id);
      // What others still refer to takes the place of what has gone.
      if (before !== undefined && before.life !== node.life) leave(before);
      this.nodes.set(id, node);
      this.#departed.came(node);
    }
    for (const id of change.removedEdges) this.edges.delete(id);
    for (const [id, edge] of change.edges) this.edges.set(id, edge);
    this.#change = mergeChange(this.#change, change);
  }

  #isForbidden(node: Pick<Node, "ref">): boolean {
    return sourcesOf(this.#sources, node).some(({ settled }) => settled === SettledState.FORBIDDEN);
  }
}
