import { ResourceGraph, type GraphNode, type KindAccessEntry } from "@binnacle/graph";
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
import type { ViewCause, ViewEnvironmentHealth, ViewHealth, ViewNode, ViewRef, ViewSource } from "./view-model.ts";
import type { ViewState } from "./view-state.ts";

/** Kinds that rules look at beside the object; while one of them is not all there, what is related is not known. */
const RELATED_KINDS: readonly string[] = ["/Pod", "apps/ReplicaSet", "batch/Job", "discovery.k8s.io/EndpointSlice"];

/**
 * Turns changes of objects into changes of view nodes: the graph says who belongs to whom and whose health is to be looked
 * at again, health says how each is. Everything else stays as it was.
 */
export class GraphProjection {
  readonly #graph = new ResourceGraph();
  readonly #now: () => number;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #results = new Map<string, HealthResult>();
  readonly #facts = new WeakMap<KubeObject, NodeFacts>();
  readonly #access = new Map<string, string>();
  readonly #dirty = new Set<string>();
  #missing = new Map<string, HealthResult>();
  #kinds = new Map<string, ResourceKind>();
  #definitions = new Map<string, KubeObject>();
  #relatedKnown = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  upsert(object: KubeObject): void {
    this.#graph.upsert(object);
  }

  /** Removes the object with this uid, or of this name when it has none. */
  remove(id: string): void {
    this.#graph.remove(id);
  }

  /** All kinds that are served: for resource names in references, and for the definitions of custom kinds. */
  setKinds(kinds: readonly ResourceKind[]): void {
    this.#kinds = new Map(kinds.map((kind) => [`${kind.group}/${kind.kind}`, kind]));
    const custom = kinds.filter((kind) => isCustomGroup(kind.group));
    this.#definitions = new Map(custom.map((kind) => [`${kind.group}/${kind.kind}`, syntheticDefinition(kind)]));
    this.#touchAll();
  }

  /** How well each kind is seen: what is not there is missing only where the whole list is known. */
  setAccess(entries: readonly KindAccessEntry[]): void {
    const now = new Map(entries.map((entry) => [`${entry.group}/${entry.kind}`, entry]));
    for (const [id, entry] of now) {
      const text = JSON.stringify(entry);
      if (this.#access.get(id) === text) continue;
      this.#access.set(id, text);
      this.#graph.setKindAccess(entry);
    }
    for (const id of this.#access.keys()) {
      if (now.has(id)) continue;
      this.#access.delete(id);
      const slash = id.indexOf("/");
      this.#graph.setKindAccess({ group: id.slice(0, slash), kind: id.slice(slash + 1), access: "not-visible" });
    }
    const known = RELATED_KINDS.every((id) => !this.#kinds.has(id) || now.get(id)?.access === "synced");
    if (known === this.#relatedKnown) return;
    this.#relatedKnown = known;
    this.#touchAll();
  }

  /** Time has passed: whatever is not well may have become worse, or stale. */
  review(): void {
    for (const [id, result] of this.#results) if (result.status !== "Healthy") this.#dirty.add(id);
  }

  /** Brings a view up to date. */
  flush(state: ViewState): void {
    const changes = this.#graph.takeChanges();
    for (const id of changes.removedEdges) state.removeEdge(id);
    for (const { class: edgeClass, ...edge } of changes.upsertedEdges) state.putEdge({ ...edge, edgeClass, refused: false });
    for (const id of changes.removedNodes) {
      this.#nodes.delete(id);
      this.#results.delete(id);
      this.#dirty.delete(id);
      state.removeNode(id);
    }
    for (const node of changes.upsertedNodes) {
      this.#nodes.set(node.id, node);
      this.#dirty.add(node.id);
    }
    for (const id of changes.dependents) this.#dirty.add(id);
    this.#findMissing();
    for (const id of this.#dirty) this.#evaluate(id);
    // What is below has changed for everything above. (A set may grow while it is walked.)
    for (const id of this.#dirty) for (const ancestor of this.#graph.ancestorsOf(id)) this.#dirty.add(ancestor);
    for (const id of this.#dirty) {
      const node = this.#nodes.get(id);
      if (node) state.putNode(this.#viewNode(node));
    }
    this.#dirty.clear();
  }

  /** The roll-up over the roots, with the kinds that are not readable. */
  health(sources: readonly ViewSource[]): ViewEnvironmentHealth {
    const roots = [...this.#nodes.values()]
      .filter((node) => node.ownerId === undefined)
      .map((node) => ({ ref: healthRef(node), health: this.#results.get(node.id) ?? null }));
    const hiddenSources = sources.filter((source) => source.state === "forbidden");
    const summary = rollUp(roots, { hidden: hiddenSources.map(({ group, kind }) => ({ group, kind })) });
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

  #touchAll(): void {
    for (const id of this.#nodes.keys()) this.#dirty.add(id);
  }

  /** Ghosts that somebody needs; one that is only named as an owner is history, not a fault. */
  #findMissing(): void {
    const missing = new Map<string, HealthResult>();
    for (const { node, referencedBy } of this.#graph.missingReferences()) {
      const names = referencedBy.map((holder) => `${holder.kind} ${holder.name}`);
      missing.set(node.id, missingHealth(node.kind, node.name, names));
    }
    for (const id of new Set([...missing.keys(), ...this.#missing.keys()])) {
      if (missing.get(id)?.message !== this.#missing.get(id)?.message) this.#dirty.add(id);
    }
    this.#missing = missing;
  }

  #evaluate(id: string): void {
    const node = this.#nodes.get(id);
    const result = node?.object ? health(node.object, this.#context(node, node.object)) : (this.#missing.get(id) ?? null);
    if (node && result) this.#results.set(id, result);
    else this.#results.delete(id);
  }

  #context(node: GraphNode, object: KubeObject): { now: Date; related?: readonly KubeObject[] } {
    const related = this.#relatedOf(node, object);
    return { now: new Date(this.#now()), ...(related === undefined ? {} : { related }) };
  }

  /** What rules may look at; `undefined` = not known. */
  #relatedOf(node: GraphNode, object: KubeObject): readonly KubeObject[] | undefined {
    // Other namespaces' Ingresses of the class are out of sight, so the class as a whole is not known.
    if (object.kind === "Ingress") return undefined;
    const definition = this.#definitions.get(`${node.group}/${node.kind}`);
    if (!this.#relatedKnown) return definition && [definition];
    const related = this.#graph.relatedOf(node.id);
    return definition ? [definition, ...related] : related;
  }

  #viewNode(node: GraphNode): ViewNode {
    const { object } = node;
    const result = this.#results.get(node.id);
    const worst = worstOf(this.#graph.descendantsOf(node.id).map((id) => this.#results.get(id)?.status));
    const replicas = object ? replicasOf(object) : null;
    const createdAt = object?.metadata.creationTimestamp;
    const deletingSince = object?.metadata.deletionTimestamp;
    return {
      id: node.id,
      ref: this.#viewRef(node),
      presence: node.presence === "not-visible" ? "not_visible" : node.presence,
      ...(result === undefined ? {} : { health: this.#viewHealth(result) }),
      ...(worst === null ? {} : { worstBelow: worst }),
      fact: object ? factOf(object, this.#relatedOf(node, object)) : "",
      ownerId: node.ownerId ?? "",
      ready: replicas?.ready ?? -1,
      wanted: replicas?.wanted ?? -1,
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(deletingSince === undefined ? {} : { deletingSince }),
      ...(object ? this.#factsOf(object) : { externalUrl: "", superseded: false, restarts: 0, images: [] }),
      notices: [],
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
    return { status, reason, message, ...(since === undefined ? {} : { since }), stale, causes, rule: "" };
  }

  #viewCause(cause: HealthCause): ViewCause {
    const { ref, status, reason, message, since } = cause;
    const id = ref.uid ?? `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`;
    return {
      nodeId: this.#nodes.has(id) ? id : "",
      ref: this.#viewRef(ref),
      status,
      reason,
      message,
      ...(since === undefined ? {} : { since }),
    };
  }

  #viewRef(of: Pick<HealthRef, "group" | "version" | "kind" | "namespace" | "name">): ViewRef {
    const kind = this.#kinds.get(`${of.group}/${of.kind}`);
    const { group, namespace, name } = of;
    return { group, version: kind?.version ?? of.version, kind: of.kind, resource: kind?.resource ?? "", namespace, name };
  }
}

function healthRef(node: GraphNode): HealthRef {
  const { group, version, kind, namespace, name, object } = node;
  const uid = object?.metadata.uid;
  return { group, version, kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
}
