import { isDeepStrictEqual } from "node:util";

import { aboutOf, missingEntriesOf, ResourceGraph, type CustomEdgeRule, type GraphNode, type KindAccessEntry } from "@binnacle/graph";
import {
  certificateFacts,
  factOf,
  replicasOf,
  rollUp,
  worstOf,
  type HealthRef,
  type HealthStatus,
  type RollUpRoot,
} from "@binnacle/health";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { NodeSchema, Presence, type EnvironmentHealth, type Node, type Notice } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { toOwnershipMessage } from "./ownership-message.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import { timeField } from "../base/timestamp-of.ts";
import type { ViewSource } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import type { ViewState } from "../stream/view-state.ts";
import { DeployedNodes } from "./deployed-nodes.ts";
import { CountedKinds, usedKindsOf } from "./counted-kinds.ts";
import type { EventIndex } from "../nodes/event-index.ts";
import type { CertificateRequest } from "../certificates/certificate-requests.ts";
import { isTlsEdge, NodeCertificates, type AnswerOf } from "../certificates/node-certificates.ts";
import { edgeMessage } from "./edge-message.ts";
import { ManagerIndex } from "./manager-index.ts";
import { MissingNodes } from "../nodes/missing-nodes.ts";
import { MissingPorts } from "../nodes/missing-ports.ts";
import { NamedObjects } from "./named-objects.ts";
import { NodeExplainer, type NoticeQuestion, EXPLAINING, RELATED_KINDS } from "../nodes/node-explainer.ts";
import { NO_FACTS, nodeFactsOf, type NodeFacts, countPodsOfNodes, PODS, replicaCount, restartCount } from "../nodes/node-facts.ts";
import { NodeJudge, type Judgement } from "../nodes/node-judge.ts";
import { revisionOf } from "../nodes/node-revision.ts";
import { ScopeFilter } from "./scope-filter.ts";
import { statusOf } from "../nodes/status-of.ts";
import { healthRefOf, nodeIdOf, ViewNames } from "../nodes/view-names.ts";
import { whereWords } from "./where-words.ts";
import { ListedNotices } from "./listed-notices.ts";
import { ViewWording, type ReportedReason } from "../nodes/view-wording.ts";

const PRESENCE = {
  present: Presence.PRESENT,
  missing: Presence.MISSING,
  "not-visible": Presence.NOT_VISIBLE,
} as const satisfies Record<GraphNode["presence"], Presence>;

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
  /** What is known of the certificate in a Secret; absent: certificates are not read. */
  readonly certificateOf?: AnswerOf;
  /** A result has changed without an object: the next flush should not wait for one. */
  readonly changed: () => void;
}

/**
 * Turns changes of objects into changes of view nodes: the graph finds owners and the nodes whose health must be evaluated again, health
 * evaluates and explains them. Everything else stays as it was.
 */
export class GraphProjection {
  /** What tools deploy of it. */
  readonly deployed: DeployedNodes;
  /** Its objects by name. */
  readonly objects: NamedObjects;
  readonly #options: GraphProjectionOptions;
  readonly #graph: ResourceGraph;
  readonly #judge: NodeJudge;
  readonly #explainer: NodeExplainer;
  readonly #filter: ScopeFilter;
  readonly #managers: ManagerIndex;
  readonly #wording: ViewWording;
  readonly #counted: CountedKinds;
  readonly #missing: MissingNodes;
  readonly #certificates: NodeCertificates;
  readonly #missingPorts = new MissingPorts();
  readonly #notices: ListedNotices;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #judgements = new Map<string, Judgement>();
  readonly #whys = new Map<string, ReportedReason>();
  readonly #facts = new WeakMap<KubeObject, NodeFacts>();
  readonly #access = new Map<string, KindAccessEntry>();
  readonly #dirty = new Set<string>();
  /** To be judged again, and shown again only when the judgement is another. */
  readonly #due = new Set<string>();
  /** Events about them have come or gone. */
  readonly #reported = new Set<string>();
  #names = new ViewNames([]);

  constructor(options: GraphProjectionOptions) {
    this.#options = options;
    const { scope, now, rules, isWhole, events, customEdges } = options;
    this.#graph = new ResourceGraph({ customEdges });
    const settled = (id: string): void => {
      this.#dirty.add(id);
      options.changed();
    };
    this.#counted = new CountedKinds(scope.rules);
    const certificates = new NodeCertificates(this.#graph, options.certificateOf);
    this.#certificates = certificates;
    const reach = scope.namespaces.length === 0 ? "cluster" : "namespaces";
    this.#judge = new NodeJudge({ graph: this.#graph, now, rules, isWhole, reach, settled, certificates, events });
    const decided = (id: string): HealthStatus | undefined => this.#judgements.get(id)?.result?.status;
    const missingPorts = this.#missingPorts;
    this.#explainer = new NodeExplainer({ graph: this.#graph, now, events, reach, missingPorts, certificates, statusOf: decided });
    this.#notices = new ListedNotices(this.#graph);
    this.#filter = new ScopeFilter(this.#graph, scope);
    this.objects = new NamedObjects(this.#graph, this.#filter);
    this.#managers = new ManagerIndex(this.#graph);
    this.deployed = new DeployedNodes({ graph: this.#graph, managers: this.#managers, filter: this.#filter });
    this.#wording = new ViewWording(() => this.#names);
    this.#missing = new MissingNodes({ graph: this.#graph, explainer: this.#explainer, wording: this.#wording });
  }

  upsert(object: KubeObject): void {
    this.#graph.upsert(object);
  }

  /** Removes the object with this uid, or of this name when it has none. */
  remove(id: string): void {
    this.#graph.remove(id);
  }

  /** How kinds are called. */
  get names(): ViewNames {
    return this.#names;
  }

  /** An Event has come or gone: the explanations of its object, and of those that depend on it, may change. */
  reported(event: KubeObject): void {
    const target = aboutOf(event);
    const id = target && this.#graph.findTarget(target);
    if (id === undefined) return;
    this.#reported.add(id);
    for (const affected of [id, ...this.#graph.ancestorsOf(id), ...this.#explainedBy(id)])
      if (this.#isUnwell(affected)) this.#dirty.add(affected);
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
    for (const id of this.#certificates.holders()) (thorough ? this.#dirty : this.#due).add(id);
  }

  /** Something else is known of the certificate in a Secret. */
  certificateChanged(namespace: string, name: string): void {
    for (const id of this.#certificates.holdersOfKey({ group: "", kind: "Secret", namespace, name })) this.#dirty.add(id);
  }

  /** Secrets whose certificates are to be read, when they are others than before. */
  takeCertificateRequests(): readonly CertificateRequest[] | undefined {
    return this.#certificates.takeRequests();
  }

  /** Everything is to be judged again. */
  touchAll(): void {
    for (const id of this.#nodes.keys()) this.#dirty.add(id);
  }

  /** Brings a view up to date. */
  flush(state: ViewState): void {
    const changes = this.#graph.takeChanges();
    for (const id of this.#explainer.apply(changes)) this.#dirty.add(id);
    for (const id of changes.removedNodes) {
      this.#nodes.delete(id);
      this.#judgements.delete(id);
      this.#whys.delete(id);
      this.#managers.remove(id);
      this.deployed.remove(id);
      this.#certificates.remove(id);
      this.#notices.remove(id);
      this.#dirty.delete(id);
    }
    for (const node of changes.upsertedNodes) {
      this.#nodes.set(node.id, node);
      this.deployed.upsert(node);
      this.#dirty.add(node.id);
      for (const affected of this.#explainedBy(node.id)) if (this.#isUnwell(affected)) this.#dirty.add(affected);
      for (const holder of this.#certificates.holdersOf(node)) this.#dirty.add(holder);
      if (this.#managers.upsert(node)) for (const below of this.#graph.descendantsOf(node.id)) this.#dirty.add(below);
    }
    for (const id of changes.dependents) this.#dirty.add(id);
    for (const edge of changes.upsertedEdges) if (isTlsEdge(edge)) this.#dirty.add(edge.from);
    for (const id of this.#missingPorts.apply(changes)) if (this.#nodes.has(id)) this.#dirty.add(id);
    const sight = this.#filter.apply(changes);
    for (const id of sight.undrawn) state.removeEdge(id);
    for (const edge of sight.drawn) state.putEdge(edgeMessage(edge, state));
    for (const id of sight.vanished) state.removeNode(id);
    for (const id of sight.appeared) this.#dirty.add(id);
    // A missing object is also shown at those that need it.
    for (const id of this.#missing.update()) this.#dirty.add(id);
    for (const id of this.#due) {
      const before = this.#judgements.get(id)?.result;
      if (!isDeepStrictEqual(this.#evaluate(id)?.result, before)) this.#dirty.add(id);
    }
    this.#due.clear();
    for (const id of this.#dirty) this.#certificates.upsert(id, this.#nodes.get(id));
    for (const id of this.#dirty) this.#evaluate(id);
    for (const id of this.#dirty) for (const holder of this.#leadingTo(id)) this.#dirty.add(holder);
    // What is below has changed for everything above. (A set may grow while it is walked.)
    for (const id of this.#dirty) for (const ancestor of this.#graph.ancestorsOf(id)) this.#dirty.add(ancestor);
    for (const id of this.#dirty) {
      const node = this.#nodes.get(id);
      if (node && this.#filter.isShown(id)) state.putNode(this.#nodeMessage(node, state));
    }
    // Of the others only that there is more to read: nothing of them is judged, explained or written anew.
    for (const id of this.#reported) {
      const object = this.#dirty.has(id) ? undefined : this.#nodes.get(id)?.object;
      if (object) state.reviseNode(id, this.#revisionOf(object));
    }
    this.#reported.clear();
    this.#dirty.clear();
  }

  /** The roll-up over the roots, with the kinds that are not readable. */
  health(sources: readonly ViewSource[]): EnvironmentHealth {
    const shown = [...this.#nodes.values()].filter((node) => this.#filter.isShown(node.id));
    const all = shown.filter((node) => this.#ownerIdOf(node) === undefined).map((node) => this.#rated(node));
    const roots = all.filter(({ ref }) => this.#counted.counts(ref));
    const { names, ...gaps } = this.#counted.gapsOf(sources, () => usedKindsOf(shown, this.#managers));
    const below = shown.filter((node) => this.#isStuckBelow(node)).map((node) => this.#rated(node));
    const noticed = this.#notices.of(shown, (id) => this.#judgements.get(id)?.result ?? null);
    const listed = { below, noticed: noticed.filter(({ ref }) => this.#counted.counts(ref)) };
    const summary = rollUp(roots, { ...gaps, ...listed, expected: this.#expected(all) });
    const health = this.#wording.rollUp(summary, (ref) => this.#whys.get(nodeIdOf(ref)), names);
    if (!this.#filter.hides(PODS)) countPodsOfNodes(health, shown, sources);
    const { covered } = this.#filter;
    if (covered !== undefined)
      health.covers = toWordsMessage(words("scope/covers", { ...covered, where: whereWords(this.#options.scope.namespaces) }));
    return health;
  }

  /** The reasons were found when the nodes were last shown: nothing is explained here. */
  #rated(node: GraphNode): RollUpRoot {
    return { ref: healthRefOf(node), health: this.#judgements.get(node.id)?.result ?? null, why: this.#whys.get(node.id)?.why };
  }

  /** Whether it is long past the time by which it should have gone, below something that may be well all the same. */
  #isStuckBelow(node: GraphNode): boolean {
    const result = this.#judgements.get(node.id)?.result;
    return result?.reason === "Terminating" && result.stale && this.#ownerIdOf(node) !== undefined && this.#counted.counts(node);
  }

  /** When nothing of an inventory is there, all that it lists. */
  #expected(roots: readonly RollUpRoot[]): HealthRef[] {
    const { inventory } = this.#options.scope;
    if (inventory === undefined || roots.some(({ health }) => health?.status !== "Missing")) return [];
    const gone = missingEntriesOf(this.#nodes.values(), this.#access.values(), inventory);
    return gone.map(({ target }) => ({ ...target, version: "" })).filter((ref) => this.#counted.counts(ref));
  }

  /** Of what a node owns, as far as the scope shows its kind. */
  #statusesBelow(id: string): readonly (HealthStatus | undefined)[] {
    const below = this.#graph.descendantsOf(id).filter((each) => !this.#filter.hides(this.#nodes.get(each)));
    return below.map((each) => this.#judgements.get(each)?.result?.status);
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
  #ownerIdOf({ ownerId }: GraphNode): string | undefined {
    return ownerId !== undefined && this.#filter.isShown(ownerId) ? ownerId : undefined;
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

  #nodeMessage(node: GraphNode, { numbers }: ViewState): Node {
    const { object } = node;
    const judgement = this.#judgements.get(node.id);
    const result = judgement?.result ?? null;
    const why = this.#why(node, judgement);
    const fact = object && factOf(object, this.#judge.relatedOf(node, object, this.#names));
    const replicas = object ? replicasOf(object) : null;
    const managedBy = this.#managers.of(node.id);
    const facts = object ? this.#factsOf(object) : NO_FACTS;
    const ownerId = this.#ownerIdOf(node);
    return create(NodeSchema, {
      id: numbers.nodes.of(node.id),
      ref: this.#names.ref(node),
      presence: PRESENCE[node.presence],
      ...(result === null ? {} : { health: this.#wording.health(result, judgement?.rule ?? "", why) }),
      worstBelow: statusOf(worstOf(this.#statusesBelow(node.id))),
      ...(fact && { factWords: toWordsMessage(fact) }),
      ownerId: ownerId === undefined ? 0 : numbers.nodes.of(ownerId),
      ready: replicaCount(replicas?.ready),
      wanted: replicaCount(replicas?.wanted),
      ...timeField("createdAt", object?.metadata.creationTimestamp),
      ...timeField("deletingSince", object?.metadata.deletionTimestamp),
      ...facts,
      restarts: restartCount(facts.restarts),
      images: [...facts.images],
      notices: object ? this.#noticesOf(node, object, { result, known: this.#judge.relatedKnown, restarts: facts.restarts }) : [],
      ...(managedBy === undefined ? {} : { managedBy }),
      certificates: object ? certificateFacts(object, this.#certificates.of(node) ?? []).map(toWordsMessage) : [],
      revision: object ? this.#revisionOf(object) : 0,
      ...(object?.metadata.ownership && { ownership: toOwnershipMessage(object.metadata.ownership) }),
    });
  }

  #noticesOf(node: GraphNode, object: KubeObject, question: NoticeQuestion): Notice[] {
    const notices = this.#explainer.notices(node, object, question);
    this.#notices.put(node.id, notices);
    return notices.map((notice) => this.#wording.notice(notice));
  }

  /** Why a node is not well; remembered, as issues are grouped by it and show it too. */
  #why(node: GraphNode, judgement: Judgement | undefined): ReportedReason | undefined {
    const { object } = node;
    const result = judgement?.result ?? null;
    const explained = object && result ? this.#explainer.why(node, object, result) : null;
    const why = explained ? this.#wording.why(explained) : this.#missing.whyOf(node.id);
    if (why === undefined) this.#whys.delete(node.id);
    else this.#whys.set(node.id, why);
    return why;
  }

  #revisionOf(object: KubeObject): number {
    return revisionOf(object, this.#options.events.about(object));
  }

  #factsOf(object: KubeObject): NodeFacts {
    const known = this.#facts.get(object);
    if (known) return known;
    const facts = nodeFactsOf(object);
    this.#facts.set(object, facts);
    return facts;
  }
}
