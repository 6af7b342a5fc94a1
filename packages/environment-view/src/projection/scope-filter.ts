import { ScopeIndex, type GraphChanges, type GraphEdge, type GraphNode, type ResourceGraph } from "@binnacle/graph";
import { encodeKey } from "@binnacle/kube";

import { kindNameOf } from "../scope/scope-rules.ts";
import type { ViewScope } from "../scope/view-scope.ts";

/** What came into sight and what left it. */
export interface SightChanges {
  readonly appeared: readonly string[];
  readonly vanished: readonly string[];
  readonly drawn: readonly GraphEdge[];
  readonly undrawn: readonly string[];
}

/** Edges that would make a hub of what they lead to: they bring nothing cluster-wide into sight. */
const HUB_CLASSES: ReadonlySet<string> = new Set(["class", "place"]);

/**
 * Decides which nodes of a graph a view shows. By itself: everything in its namespaces, or only what labels or an inventory
 * ask for and what that owns, also what the inventory lists and is not there. Through others: what is missing, and of what is
 * cluster-wide that which something shown refers to. An edge is drawn when both its ends are shown.
 */
export class ScopeFilter {
  readonly #graph: ResourceGraph;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();
  readonly #shown = new Set<string>();
  /** Only for a scope that is more than namespaces. */
  readonly #members: ScopeIndex | undefined;
  readonly #hidden: ReadonlySet<string>;
  /** Objects that are in a namespace. */
  readonly #namespaced = new Set<string>();

  constructor(graph: ResourceGraph, scope: ViewScope) {
    this.#graph = graph;
    const { labels, inventory, rules } = scope;
    this.#hidden = new Set(rules?.hidden);
    const selector = { ...(labels === undefined ? {} : { labels }), ...(inventory === undefined ? {} : { inventory }) };
    this.#members = Object.keys(selector).length === 0 ? undefined : new ScopeIndex(selector);
  }

  isShown(id: string): boolean {
    return this.#shown.has(id);
  }

  /** Whether the scope's own rules keep a kind out of sight. */
  hides(node: { readonly group: string; readonly kind: string } | undefined): boolean {
    return node !== undefined && this.#hidden.size > 0 && this.#hidden.has(kindNameOf(node));
  }

  /** How many of the objects in the namespaces are shown; `undefined` when all of them are, whatever they are. */
  get covered(): { readonly shown: number; readonly total: number } | undefined {
    if (this.#members === undefined) return undefined;
    let shown = 0;
    for (const id of this.#namespaced) if (this.#shown.has(id)) shown += 1;
    return { shown, total: this.#namespaced.size };
  }

  /** Takes changes of the graph in. */
  apply(changes: GraphChanges): SightChanges {
    const undrawn = new Set(changes.removedEdges);
    const affected = new Set<string>();
    for (const id of changes.removedEdges) {
      const edge = this.#edges.get(id);
      this.#edges.delete(id);
      if (edge !== undefined) affected.add(edge.from).add(edge.to);
    }
    const vanished = changes.removedNodes.filter((id) => this.#shown.delete(id));
    for (const id of changes.removedNodes) {
      this.#nodes.delete(id);
      this.#namespaced.delete(id);
    }
    // All lines of a node that is new are new as well; only of one that was there before they have to be looked up.
    const fresh = new Set<string>();
    for (const node of changes.upsertedNodes) {
      if (!this.#nodes.has(node.id)) fresh.add(node.id);
      this.#nodes.set(node.id, node);
      if (node.presence === "present" && node.namespace !== "") this.#namespaced.add(node.id);
      else this.#namespaced.delete(node.id);
      affected.add(node.id);
    }
    const touched = new Map<string, GraphEdge>();
    for (const edge of changes.upsertedEdges) {
      this.#edges.set(edge.id, edge);
      affected.add(edge.from).add(edge.to);
      touched.set(edge.id, edge);
    }
    this.#members?.apply(changes);
    for (const id of this.#members?.takeAffected() ?? []) affected.add(id);
    for (const id of this.#members?.takeRelisted() ?? []) affected.add(id);

    const sight = this.#look(affected, fresh);
    for (const id of [...sight.appeared, ...sight.vanished]) {
      if (!fresh.has(id)) for (const edge of this.#graph.edgesOf(id)) touched.set(edge.id, edge);
    }
    const drawn: GraphEdge[] = [];
    for (const edge of touched.values()) {
      if (this.#shown.has(edge.from) && this.#shown.has(edge.to)) drawn.push(edge);
      else undrawn.add(edge.id);
    }
    return { appeared: sight.appeared, vanished: [...vanished, ...sight.vanished], drawn, undrawn: [...undrawn] };
  }

  /** Looks again at nodes: first at those that stand for themselves, then at those that are in sight through others. */
  #look(affected: ReadonlySet<string>, fresh: ReadonlySet<string>): { readonly appeared: string[]; readonly vanished: string[] } {
    const [appeared, vanished]: [string[], string[]] = [[], []];
    const through = new Set<GraphNode>();
    const see = (node: GraphNode, shows: boolean): void => {
      if (shows === this.#shown.has(node.id)) return;
      if (shows) this.#shown.add(node.id);
      else this.#shown.delete(node.id);
      (shows ? appeared : vanished).push(node.id);
    };
    for (const id of affected) {
      const node = this.#nodes.get(id);
      if (node === undefined || this.hides(node)) continue;
      if (this.#dependsOnOthers(node)) through.add(node);
      else see(node, this.#standsForItself(node));
    }
    for (const id of [...appeared, ...vanished]) {
      if (fresh.has(id)) continue;
      for (const edge of this.#graph.edgesOf(id)) {
        const other = this.#nodes.get(edge.from === id ? edge.to : edge.from);
        if (other !== undefined && this.#dependsOnOthers(other) && !this.hides(other)) through.add(other);
      }
    }
    for (const node of through) see(node, this.#standsForItself(node) || this.#isReferredTo(node));
    return { appeared, vanished };
  }

  #standsForItself(node: GraphNode): boolean {
    if (this.#members !== undefined)
      return this.#members.membershipOf(node.id) !== undefined || (node.presence !== "present" && this.#members.lists(encodeKey(node)));
    return node.presence !== "present" || node.namespace !== "";
  }

  /** Cluster-wide, or not there: whether it is in sight is for others to say. */
  #dependsOnOthers(node: GraphNode): boolean {
    return node.presence === "present" ? node.namespace === "" : this.#members !== undefined;
  }

  #isReferredTo({ id, presence }: GraphNode): boolean {
    return this.#graph
      .edgesOf(id)
      .some((edge) => (presence !== "present" || !HUB_CLASSES.has(edge.class)) && this.#shown.has(edge.from === id ? edge.to : edge.from));
  }
}
