import { isDeepStrictEqual } from "node:util";

import { aboutOf, missingEntriesOf, ResourceGraph, type CustomEdgeRule, type GraphNode, type KindAccessEntry } from "@binnacle/graph";
import { factOf, replicasOf, rollUp, worstOf, type HealthRef, type RollUpRoot } from "@binnacle/health";
import type { KubeObject, ResourceKind } from "@binnacle/kube";

import type { HealthRules } from "../health-rules.ts";
import type { ViewEnvironmentHealth, ViewNode, ViewSource, ViewWhy } from "../view-model.ts";
import type { ViewScope } from "../view-scope.ts";
import type { ViewState } from "../view-state.ts";
import type { EventIndex } from "./event-index.ts";
import { ManagerIndex } from "./manager-index.ts";
import { MissingNodes } from "./missing-nodes.ts";
import { NodeExplainer } from "./node-explainer.ts";
import { nodeFactsOf, type NodeFacts } from "./node-facts.ts";
import { NodeJudge, type Judgement } from "./node-judge.ts";
import { ScopeFilter } from "./scope-filter.ts";
import { healthRefOf, nodeIdOf, ViewNames } from "./view-names.ts";
import { ViewWording } from "./view-wording.ts";

/** Kinds that rules look at beside the object; while one of them is not all there, what is related is not known. */
const RELATED_KINDS: readonly string[] = ["/Pod", "apps/ReplicaSet", "batch/Job", "discovery.k8s.io/EndpointSlice"];

/** Kinds whose change may be why something that refers to them, or that they refer to, is not well. */
const EXPLAINING: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Secret",
  "PersistentVolumeClaim",
  "Node",
  "HorizontalPodAutoscaler",
  "ServiceAccount",
]);

/** Of a ghost. */
const NO_FACTS: NodeFacts = { externalUrl: "", superseded: false, restarts: 0, images: [], generated: false };

/** What a projection works with. */
export interface GraphProjectionOptions {
  readonly scope: ViewScope;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly events: EventIndex;
  readonly rules: HealthRules | undefined;
  /** Nothing that a rule of a user may read was left out of an object. */
  readonly isWhole: (object: KubeObject) => boolean;
  readonly customEdges: readonly CustomEdgeRule[];
  /** Something is to be said that no object has brought: the next flush should not wait for one. */
  readonly changed: () => void;
}

/**
 * Turns changes of objects into changes of view nodes: the graph says who belongs to whom and whose health is to be looked
 * at again, health says how each is and why. Everything else stays as it was.
 */
export class GraphProjection {
  readonly #options: GraphProjectionOptions;
  readonly #graph: ResourceGraph;
  readonly #judge: NodeJudge;
  readonly #explainer: NodeExplainer;
  readonly #filter: ScopeFilter;
  readonly #managers: ManagerIndex;
  readonly #wording: ViewWording;
  readonly #missing: MissingNodes;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #judgements = new Map<string, Judgement>();
  readonly #whys = new Map<string, ViewWhy>();
  readonly #facts = new WeakMap<KubeObject, NodeFacts>();
  readonly #access = new Map<string, KindAccessEntry>();
  readonly #dirty = new Set<string>();
  /** To be judged again, and shown again only when the judgement is another. */
  readonly #due = new Set<string>();
  #names = new ViewNames([]);

  constructor(options: GraphProjectionOptions) {
    this.#options = options;
    const { scope, now, rules, isWhole, events, customEdges } = options;
    this.#graph = new ResourceGraph({ customEdges });
    const settled = (id: string): void => {
      this.#dirty.add(id);
      options.changed();
    };
    this.#judge = new NodeJudge({ graph: this.#graph, now, rules, isWhole, wholeCluster: scope.namespaces.length === 0, settled });
    this.#explainer = new NodeExplainer({ graph: this.#graph, now, events, statusOf: (id) => this.#judgements.get(id)?.result?.status });
    this.#filter = new ScopeFilter(this.#graph, scope);
    this.#managers = new ManagerIndex(this.#graph);
    this.#wording = new ViewWording(
      (id) => this.#filter.isShown(id),
      () => this.#names,
    );
    this.#missing = new MissingNodes({ graph: this.#graph, explainer: this.#explainer, wording: this.#wording });
  }

  upsert(object: KubeObject): void {
    this.#graph.upsert(object);
  }

  /** Removes the object with this uid, or of this name when it has none. */
  remove(id: string): void {
    this.#graph.remove(id);
  }

  /** An Event has come or gone: why what it is about is not well, or what stands on it, may be told otherwise now. */
  reported(event: KubeObject): void {
    const target = aboutOf(event);
    const id = target && this.#graph.findTarget(target);
    if (id === undefined) return;
    for (const told of [id, ...this.#graph.ancestorsOf(id), ...this.#explainedBy(id)]) if (this.#isUnwell(told)) this.#dirty.add(told);
  }

  /** All kinds that are served: for resource names in references, and for the definitions of custom kinds. */
  setKinds(kinds: readonly ResourceKind[]): void {
    this.#names = new ViewNames(kinds);
    this.touchAll();
  }

  /** How well each kind is seen: what is not there is missing only where the whole list is known. */
  setAccess(entries: readonly KindAccessEntry[]): void {
    const now = new Map(entries.map((entry) => [`${entry.group}/${entry.kind}`, entry]));
    for (const [id, entry] of now) {
      if (isDeepStrictEqual(this.#access.get(id), entry)) continue;
      this.#access.set(id, entry);
      this.#graph.setKindAccess(entry);
    }
    for (const id of this.#access.keys()) {
      if (now.has(id)) continue;
      this.#access.delete(id);
      const slash = id.indexOf("/");
      this.#graph.setKindAccess({ group: id.slice(0, slash), kind: id.slice(slash + 1), access: "not-visible" });
    }
    const known = RELATED_KINDS.every((id) => !this.#names.isServed(id) || this.#isWhole(now.get(id)));
    if (known === this.#judge.relatedKnown) return;
    this.#judge.relatedKnown = known;
    this.touchAll();
  }

  /**
   * Time has passed: whatever is not well may have become worse, or stale.
   *
   * @param thorough explain it again also where the judgement is the same: something far away may have changed
   */
  review(thorough: boolean): void {
    for (const id of this.#judgements.keys()) if (this.#isUnwell(id)) (thorough ? this.#dirty : this.#due).add(id);
  }

  /** Everything is to be judged again. */
  touchAll(): void {
    for (const id of this.#nodes.keys()) this.#dirty.add(id);
  }

  /** Brings a view up to date. */
  flush(state: ViewState): void {
    const changes = this.#graph.takeChanges();
    for (const id of changes.removedNodes) {
      this.#nodes.delete(id);
      this.#judgements.delete(id);
      this.#whys.delete(id);
      this.#managers.remove(id);
      this.#dirty.delete(id);
    }
    for (const node of changes.upsertedNodes) {
      this.#nodes.set(node.id, node);
      this.#dirty.add(node.id);
      for (const told of this.#explainedBy(node.id)) if (this.#isUnwell(told)) this.#dirty.add(told);
      if (this.#managers.upsert(node)) for (const below of this.#graph.descendantsOf(node.id)) this.#dirty.add(below);
    }
    for (const id of changes.dependents) this.#dirty.add(id);
    const sight = this.#filter.apply(changes);
    for (const id of sight.undrawn) state.removeEdge(id);
    for (const { class: edgeClass, ...edge } of sight.drawn) state.putEdge({ ...edge, edgeClass });
    for (const id of sight.vanished) state.removeNode(id);
    for (const id of sight.appeared) this.#dirty.add(id);
    // Whoever needs what is missing says so too.
    for (const id of this.#missing.update()) this.#dirty.add(id);
    for (const id of this.#due) {
      const before = this.#judgements.get(id)?.result;
      if (!isDeepStrictEqual(this.#evaluate(id)?.result, before)) this.#dirty.add(id);
    }
    this.#due.clear();
    for (const id of this.#dirty) this.#evaluate(id);
    for (const id of this.#dirty) for (const holder of this.#leadingTo(id)) this.#dirty.add(holder);
    // What is below has changed for everything above. (A set may grow while it is walked.)
    for (const id of this.#dirty) for (const ancestor of this.#graph.ancestorsOf(id)) this.#dirty.add(ancestor);
    for (const id of this.#dirty) {
      const node = this.#nodes.get(id);
      if (node && this.#filter.isShown(id)) state.putNode(this.#viewNode(node));
    }
    this.#dirty.clear();
  }

  /** The roll-up over the roots, with the kinds that are not readable. */
  health(sources: readonly ViewSource[]): ViewEnvironmentHealth {
    const roots = [...this.#nodes.values()]
      .filter((node) => this.#filter.isShown(node.id) && this.#ownerIdOf(node) === "")
      .map((node) => ({ ref: healthRefOf(node), health: this.#judgements.get(node.id)?.result ?? null }));
    const hiddenSources = sources.filter((source) => source.state === "forbidden");
    const hidden = hiddenSources.map(({ group, kind }) => ({ group, kind }));
    const summary = rollUp(roots, { hidden, expected: this.#expected(roots) });
    return {
      ...(summary.status === null ? {} : { status: summary.status }),
      partial: summary.partial,
      reason: summary.reason,
      message: summary.message,
      counts: summary.counts,
      causes: summary.causes.map((cause) => this.#wording.cause(cause, this.#whys.get(nodeIdOf(cause.ref)))),
      hidden: [...new Set(hiddenSources.map(({ group, resource }) => (group === "" ? resource : `${resource}.${group}`)))].toSorted(),
    };
  }

  /** When nothing of an inventory is there, all that it lists. */
  #expected(roots: readonly RollUpRoot[]): HealthRef[] {
    const { inventory } = this.#options.scope;
    if (inventory === undefined || roots.some(({ health }) => health?.status !== "Missing")) return [];
    const gone = missingEntriesOf(this.#nodes.values(), this.#access.values(), inventory);
    return gone.map(({ target }) => ({ ...target, version: "" }));
  }

  #isUnwell(id: string): boolean {
    const status = this.#judgements.get(id)?.result?.status;
    return status !== undefined && status !== "Healthy";
  }

  #isWhole(entry: KindAccessEntry | undefined): boolean {
    const { namespaces } = this.#options.scope;
    return entry?.access === "synced" && (entry.namespaces === undefined || namespaces.every((each) => entry.namespaces?.includes(each)));
  }

  /** The owner, when it is in sight; without one it is a root of this view. */
  #ownerIdOf(node: GraphNode): string {
    return node.ownerId !== undefined && this.#filter.isShown(node.ownerId) ? node.ownerId : "";
  }

  /** Whose state this one may explain: those whose configuration, volume, node or autoscaler it is. */
  #explainedBy(id: string): readonly string[] {
    if (!EXPLAINING.has(this.#graph.node(id)?.kind ?? "")) return [];
    return this.#graph.edgesOf(id).map(({ from, to }) => (from === id ? to : from));
  }

  /** What sends traffic to a Service tells of the pods behind it. */
  #leadingTo(id: string): readonly string[] {
    const node = this.#nodes.get(id);
    if (node?.kind !== "Service" || node.group !== "") return [];
    return this.#graph.edgesOf(id).flatMap((edge) => (edge.to === id && edge.class === "route" ? edge.from : []));
  }

  #evaluate(id: string): Judgement | undefined {
    const node = this.#nodes.get(id);
    const judgement = node?.object ? this.#judge.judge(node, node.object, this.#names) : this.#missing.judgementOf(id);
    if (judgement) this.#judgements.set(id, judgement);
    else if (!node?.object) this.#judgements.delete(id);
    return this.#judgements.get(id);
  }

  #viewNode(node: GraphNode): ViewNode {
    const { object } = node;
    const judgement = this.#judgements.get(node.id);
    const result = judgement?.result ?? null;
    const why = this.#why(node, judgement);
    const related = object && this.#judge.relatedOf(node, object, this.#names);
    const worst = worstOf(this.#graph.descendantsOf(node.id).map((id) => this.#judgements.get(id)?.result?.status));
    const replicas = object ? replicasOf(object) : null;
    const managedBy = this.#managers.of(node.id);
    const facts = object ? this.#factsOf(object) : NO_FACTS;
    const createdAt = object?.metadata.creationTimestamp;
    const deletingSince = object?.metadata.deletionTimestamp;
    return {
      id: node.id,
      ref: this.#names.ref(node),
      presence: node.presence === "not-visible" ? "not_visible" : node.presence,
      ...(result === null ? {} : { health: this.#wording.health(result, judgement?.rule ?? "", why) }),
      ...(worst === null ? {} : { worstBelow: worst }),
      fact: object ? factOf(object, related) : "",
      ownerId: this.#ownerIdOf(node),
      ready: replicas?.ready ?? -1,
      wanted: replicas?.wanted ?? -1,
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(deletingSince === undefined ? {} : { deletingSince }),
      ...facts,
      notices: object ? this.#explainer.notices(node, object, { result, known: this.#judge.relatedKnown, restarts: facts.restarts }) : [],
      ...(managedBy === undefined ? {} : { managedBy }),
    };
  }

  /** Why a node is not well; remembered, as the causes of the environment show it too. */
  #why(node: GraphNode, judgement: Judgement | undefined): ViewWhy | undefined {
    const { object } = node;
    const result = judgement?.result ?? null;
    const explained = object && result ? this.#explainer.why(node, object, result) : null;
    const why = explained ? this.#wording.why(explained) : this.#missing.whyOf(node.id);
    if (why === undefined) this.#whys.delete(node.id);
    else this.#whys.set(node.id, why);
    return why;
  }

  #factsOf(object: KubeObject): NodeFacts {
    const known = this.#facts.get(object);
    if (known) return known;
    const facts = nodeFactsOf(object);
    this.#facts.set(object, facts);
    return facts;
  }
}
