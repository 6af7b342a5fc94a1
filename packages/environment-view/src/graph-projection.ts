import { ResourceGraph, type GraphChanges, type GraphEdge, type GraphNode, type KindAccessEntry } from "@binnacle/graph";
import {
  factOf,
  health,
  isCustomGroup,
  missingHealth,
  replicasOf,
  rollUp,
  worstOf,
  type HealthCause,
  type HealthRef,
  type HealthResult,
} from "@binnacle/health";
import type { KubeObject, ResourceKind } from "@binnacle/kube";

import { syntheticDefinition } from "./kind-plan.ts";
import { nodeFactsOf, type NodeFacts } from "./node-facts.ts";
import { Ownership } from "./ownership.ts";
import type { ViewCause, ViewEnvironmentHealth, ViewHealth, ViewHealthStatus, ViewNode, ViewRef, ViewSource } from "./view-model.ts";
import type { ViewState } from "./view-state.ts";

/** Kinds whose absence from a list means "not known yet" to the rules that look at descendants. */
const DESCENDANT_KINDS: ReadonlySet<string> = new Set(["/Pod", "apps/ReplicaSet", "batch/Job"]);

/**
 * Turns changes of objects into changes of view nodes: the graph says who belongs to whom, health says how each is. Only
 * nodes that a change can have touched are looked at again: the node, its owners, and both ends of its edges.
 */
export class GraphProjection {
  readonly #graph = new ResourceGraph();
  readonly #now: () => number;
  readonly #tree = new Ownership();
  readonly #edges = new Map<string, GraphEdge>();
  /** Ids of edges by the node they point to, for what is mounted or referred to. */
  readonly #incoming = new Map<string, Set<string>>();
  readonly #results = new Map<string, HealthResult | null>();
  readonly #facts = new WeakMap<KubeObject, NodeFacts>();
  readonly #dirty = new Set<string>();
  #kinds = new Map<string, ResourceKind>();
  #definitions = new Map<string, KubeObject>();
  #synced: ReadonlySet<string> = new Set();
  #access = "";

  constructor(now: () => number) {
    this.#now = now;
  }

  upsert(object: KubeObject): void {
    this.#graph.upsert(object);
  }

  remove(object: KubeObject): void {
    this.#graph.remove(object);
  }

  /** All kinds that are served: for resource names in references, and for the definitions of custom kinds. */
  setKinds(kinds: readonly ResourceKind[]): void {
    this.#kinds = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
    const custom = kinds.filter((kind) => isCustomGroup(kind.group));
    this.#definitions = new Map(custom.map((kind) => [`${kind.group}/${kind.kind}`, syntheticDefinition(kind)]));
    for (const node of this.#tree.all()) this.#dirty.add(node.id);
  }

  /** How well each kind is seen: what is not there is missing only where the whole list is known. */
  setAccess(entries: readonly KindAccessEntry[]): void {
    const text = JSON.stringify(entries);
    if (text === this.#access) return;
    this.#access = text;
    this.#graph.setAccess(entries);
    const synced = new Set(entries.filter((entry) => entry.access === "synced").map((entry) => `${entry.group}/${entry.kind}`));
    const descendantsChanged = [...DESCENDANT_KINDS].some((kind) => synced.has(kind) !== this.#synced.has(kind));
    this.#synced = synced;
    if (descendantsChanged) for (const node of this.#tree.all()) this.#dirty.add(node.id);
  }

  /** Time has passed: whatever is not well may have become worse, or stale. */
  review(): void {
    for (const [id, result] of this.#results) if (result !== null && result.status !== "Healthy") this.#dirty.add(id);
  }

  /** Brings a view up to date. */
  flush(state: ViewState): void {
    const changes = this.#graph.takeChanges();
    this.#applyEdges(changes, state);
    this.#applyNodes(changes, state);
    // Owners last: what they say includes what is below them.
    const order = [...this.#dirty].map((id) => ({ id, depth: this.#tree.ancestorsOf(id).length })).toSorted((a, b) => b.depth - a.depth);
    this.#dirty.clear();
    for (const { id } of order) this.#evaluate(id);
    for (const { id } of order) {
      const node = this.#tree.get(id);
      if (node) state.putNode(this.#viewNode(node));
    }
  }

  /** The roll-up over the roots, with the kinds that are not readable. */
  health(sources: readonly ViewSource[]): ViewEnvironmentHealth {
    const roots = [...this.#tree.all()]
      .filter((node) => node.ownerId === undefined && node.presence !== "not-visible")
      .map((node) => ({ ref: healthRef(node), health: this.#results.get(node.id) ?? null }));
    const hiddenSources = sources.filter((source) => source.state === "forbidden");
    const hidden = hiddenSources.map(({ group, kind }) => ({ group, kind }));
    const summary = rollUp(roots, { hidden });
    return {
      ...(summary.status === null ? {} : { status: summary.status }),
      partial: summary.partial,
      reason: summary.reason,
      message: summary.message,
      counts: summary.counts,
      causes: summary.causes.map((cause) => this.#viewCause(cause)),
      hidden: hiddenSources.map(({ group, resource }) => (group === "" ? resource : `${resource}.${group}`)).toSorted(),
    };
  }

  #applyEdges(changes: GraphChanges, state: ViewState): void {
    for (const id of changes.removedEdges) {
      const edge = this.#edges.get(id);
      if (edge) this.#touchEdge(edge);
      if (edge) unlink(this.#incoming, edge.to, id);
      this.#edges.delete(id);
      state.removeEdge(id);
    }
    for (const edge of changes.upsertedEdges) {
      this.#edges.set(edge.id, edge);
      const incoming = this.#incoming.get(edge.to) ?? new Set<string>();
      this.#incoming.set(edge.to, incoming.add(edge.id));
      this.#touchEdge(edge);
      const { class: edgeClass, ...rest } = edge;
      state.putEdge({ ...rest, edgeClass });
    }
  }

  #applyNodes(changes: GraphChanges, state: ViewState): void {
    for (const id of changes.removedNodes) {
      this.#touch(id);
      this.#tree.remove(id);
      this.#results.delete(id);
      this.#dirty.delete(id);
      state.removeNode(id);
    }
    for (const node of changes.upsertedNodes) {
      // The owners before and after: both have other descendants now.
      this.#touch(node.id);
      this.#tree.put(node);
      this.#touch(node.id);
    }
  }

  #touch(id: string): void {
    this.#dirty.add(id);
    for (const ancestor of this.#tree.ancestorsOf(id)) this.#dirty.add(ancestor);
    // Those it refers to may show who uses them.
    for (const edgeId of this.#incoming.get(id) ?? []) {
      const edge = this.#edges.get(edgeId);
      if (edge) this.#dirty.add(edge.from);
    }
  }

  #touchEdge(edge: GraphEdge): void {
    this.#dirty.add(edge.from);
    this.#dirty.add(edge.to);
  }

  #evaluate(id: string): void {
    const node = this.#tree.get(id);
    if (!node) return;
    if (node.object) this.#results.set(id, health(node.object, this.#context(node)));
    else this.#results.set(id, node.presence === "missing" ? missingHealth(node.kind, node.name, this.#referrers(id)) : null);
  }

  #context(node: GraphNode): { now: Date; related?: readonly KubeObject[] } {
    const related = this.#relatedOf(node);
    return { now: new Date(this.#now()), ...(related === undefined ? {} : { related }) };
  }

  /** What rules may look at; `undefined` = not known. */
  #relatedOf(node: GraphNode): readonly KubeObject[] | undefined {
    // Other namespaces' Ingresses of the class are out of sight, so the class as a whole is not known.
    if (node.kind === "Ingress") return undefined;
    const known = [...DESCENDANT_KINDS].every((kind) => this.#synced.has(kind));
    const definition = this.#definitions.get(`${node.group}/${node.kind}`);
    if (!known) return definition && [definition];
    const below = this.#tree.descendantsOf(node.id).flatMap(({ object }) => object ?? []);
    const users = node.kind === "PersistentVolumeClaim" ? this.#usersOf(node.id) : [];
    return [...(definition ? [definition] : []), ...below, ...users];
  }

  #usersOf(id: string): KubeObject[] {
    return [...(this.#incoming.get(id) ?? [])].flatMap((edgeId) => this.#tree.get(this.#edges.get(edgeId)?.from ?? "")?.object ?? []);
  }

  #referrers(id: string): string[] {
    return [...(this.#incoming.get(id) ?? [])].flatMap((edgeId) => {
      const from = this.#tree.get(this.#edges.get(edgeId)?.from ?? "");
      return from ? [`${from.kind} ${from.name}`] : [];
    });
  }

  #viewNode(node: GraphNode): ViewNode {
    const { object } = node;
    const result = this.#results.get(node.id) ?? null;
    const worst = worstOf(this.#tree.descendantsOf(node.id).map((below) => this.#results.get(below.id)?.status));
    const related = this.#relatedOf(node);
    const replicas = object ? replicasOf(object) : null;
    const createdAt = object?.metadata.creationTimestamp;
    const deletingSince = object?.metadata.deletionTimestamp;
    return {
      id: node.id,
      ref: this.#viewRef(node),
      presence: node.presence === "not-visible" ? "not_visible" : node.presence,
      ...(result === null ? {} : { health: this.#viewHealth(result) }),
      ...(worst === null ? {} : { worstBelow: worst satisfies ViewHealthStatus }),
      fact: object ? factOf(object, related && [...related, ...this.#usersOf(node.id)]) : "",
      ownerId: node.ownerId ?? "",
      ready: replicas?.ready ?? -1,
      wanted: replicas?.wanted ?? -1,
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(deletingSince === undefined ? {} : { deletingSince }),
      ...(object ? this.#factsOf(object) : { externalUrl: "", superseded: false, restarts: 0, images: [] }),
    };
  }

  #factsOf(object: KubeObject): NodeFacts {
    const known = this.#facts.get(object);
    if (known) return known;
    const facts = nodeFactsOf(object);
    this.#facts.set(object, facts);
    return facts;
  }

  #viewHealth(result: HealthResult): ViewHealth {
    const { status, reason, message, since, stale } = result;
    const causes = result.causes.map((cause) => this.#viewCause(cause));
    return { status, reason, message, ...(since === undefined ? {} : { since }), stale, causes };
  }

  #viewCause(cause: HealthCause): ViewCause {
    const { ref, status, reason, message, since } = cause;
    const id = ref.uid ?? `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
    return {
      nodeId: this.#tree.get(id) ? id : "",
      ref: this.#viewRef(ref),
      status,
      reason,
      message,
      ...(since === undefined ? {} : { since }),
    };
  }

  #viewRef(of: Pick<HealthRef, "group" | "version" | "kind" | "namespace" | "name">): ViewRef {
    const kind = this.#kinds.get(`${of.group}/${of.kind}`);
    return {
      group: of.group,
      version: kind?.version ?? of.version,
      kind: of.kind,
      resource: kind?.resource ?? "",
      namespace: of.namespace,
      name: of.name,
    };
  }
}

function healthRef(node: GraphNode): HealthRef {
  const { group, version, kind, namespace, name, object } = node;
  const uid = object?.metadata.uid;
  return { group, version, kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
}

function unlink(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
