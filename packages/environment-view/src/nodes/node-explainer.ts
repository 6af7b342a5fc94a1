import { type GraphChanges, type GraphNode, type ResourceGraph, productsOf, type OwnerWarning } from "@binnacle/graph";
import {
  health,
  noticesOf,
  whyMissing,
  whyOf,
  type HealthNotice,
  type HealthResult,
  type HealthScope,
  type HealthStatus,
  type MissingRef,
  type Why,
  type WhyContext,
} from "@binnacle/health";
import { fieldsAt, listAt, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { NodeCertificates } from "../certificates/node-certificates.ts";
import type { EventIndex } from "./event-index.ts";
import { LostPods } from "./lost-pods.ts";
import { type MissingPorts, portNotices } from "./missing-ports.ts";
import { surroundingsOf } from "./surroundings.ts";
import { healthRefOf } from "./view-names.ts";

/** What an explainer works with. */
export interface NodeExplainerOptions {
  readonly graph: ResourceGraph;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly events: EventIndex;
  /** How far the view sees. */
  readonly reach: HealthScope;
  readonly certificates: Pick<NodeCertificates, "of">;
  readonly missingPorts: MissingPorts;
  /** What was decided about a node; `undefined` = nothing. */
  readonly statusOf: (id: string) => HealthStatus | undefined;
}

/** What notices depend on beside the object. */
export interface NoticeQuestion {
  /** What was decided about it. */
  readonly result: HealthResult | null;
  /** Pods and slices are all there. */
  readonly known: boolean;
  /** Container restarts of a Pod. */
  readonly restarts: number;
}

/** Kinds that rules look at beside the object; while one of them is not all there, what is related is not known. */
export const RELATED_KINDS: readonly string[] = ["/Pod", "apps/ReplicaSet", "batch/Job", "discovery.k8s.io/EndpointSlice"];

/** Kinds whose change may be why something that refers to them, or that they refer to, is not well. */
export const EXPLAINING: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Secret",
  "PersistentVolumeClaim",
  "Node",
  "HorizontalPodAutoscaler",
  "ServiceAccount",
]);

/** Says why a node is not well, with everything that the graph and the events know around it. */
export class NodeExplainer {
  /** What makes what. */
  readonly #makers = new MakerIndex();
  readonly #lostPods = new LostPods();
  readonly #options: NodeExplainerOptions;
  /** Makers that are being explained. */
  readonly #explained = new Set<string>();

  constructor(options: NodeExplainerOptions) {
    this.#options = options;
  }

  /** Takes changes of the graph in, which its owner hands on. @returns ids of nodes that are to be explained again, besides those that have changed */
  apply(changes: GraphChanges): readonly string[] {
    this.#makers.apply(changes);
    return this.#lostPods.apply(changes);
  }

  /** @returns `null` for what is well */
  why(node: GraphNode, object: KubeObject, result: HealthResult): Why | null {
    if (result.status === "Healthy") return null;
    const { graph, events, reach, statusOf } = this.#options;
    const around = surroundingsOf(node, graph, statusOf);
    const related = [...new Set([...around, ...[object, ...around].flatMap((each) => this.#lostPods.besideOf(each) ?? [])])];
    const reports = [object, ...related].flatMap((each) => events.about(each));
    const context = { now: this.#now(), scope: reach, missing: this.#missingOf(node), health: result, related, events: reports };
    return whyOf(object, { ...context, ...this.#certificatesOf(node) });
  }

  /** Why a ghost is missed. */
  whyMissing(ghost: GraphNode, referencedBy: readonly GraphNode[]): Why {
    return whyMissing(this.#missingRefOf(ghost), referencedBy.map(healthRefOf));
  }

  /** What is worth knowing and leaves the status alone. */
  notices(node: GraphNode, object: KubeObject, question: NoticeQuestion): readonly HealthNotice[] {
    return [...this.#healthNotices(node, object, question), ...this.#referenceNotices(node)];
  }

  /** Of references that lead to something and do not count there. */
  #referenceNotices(node: GraphNode): readonly HealthNotice[] {
    const { graph, missingPorts } = this.#options;
    const nodeOf = (id: string): GraphNode | undefined => graph.node(id);
    return [...portNotices(node, missingPorts.of(node.id), nodeOf), ...ownerNotices(node, graph.ownerWarningsOf(node.id), nodeOf)];
  }

  #healthNotices(node: GraphNode, object: KubeObject, { result, known, restarts }: NoticeQuestion): readonly HealthNotice[] {
    const { graph, reach, statusOf } = this.#options;
    // Of most of thousands of objects there is nothing to say, and asking costs more than their health.
    const missing = this.#missingOf(node);
    const ended = known ? this.#aroundEnded(node) : undefined;
    if (!isNoticed(node, object) && restarts === 0 && missing.length === 0 && ended === undefined) return [];
    // Only of traffic, and of what has pods that ended, there is something to notice that is not in the object itself.
    const related = ended ?? (known && leadsTraffic(node) ? surroundingsOf(node, graph, statusOf) : undefined);
    const around = related === undefined ? {} : { related };
    return noticesOf(object, { now: this.#now(), scope: reach, missing, health: result, ...around, ...this.#certificatesOf(node) });
  }

  /** All that a workload owns, when some of its pods have ended for good; they may be hundreds, and all are counted. */
  #aroundEnded({ id, group, kind, ownerId }: GraphNode): readonly KubeObject[] | undefined {
    if (group !== "apps" || ownerId !== undefined || (kind !== "Deployment" && kind !== "ReplicaSet")) return undefined;
    const below = this.#options.graph.descendantsOf(id).flatMap((each) => this.#options.graph.node(each)?.object ?? []);
    return below.some((object) => object.kind === "Pod" && textAt(fieldsAt(object, "status"), "phase") === "Failed") ? below : undefined;
  }

  #certificatesOf(node: GraphNode): Pick<WhyContext, "certificates"> {
    const certificates = this.#options.certificates.of(node);
    return certificates === undefined ? {} : { certificates };
  }

  #now(): Date {
    return new Date(this.#options.now());
  }

  #missingOf(node: GraphNode): MissingRef[] {
    // What it makes itself is no cause of it, but follows from it.
    const ghosts = this.#options.graph.missingOf(node.id).filter((ghost) => this.#makers.makerOf(ghost) !== node.id);
    return ghosts.map((ghost) => this.#missingRefOf(ghost));
  }

  /** With what makes it, and why that has not. */
  #missingRefOf(ghost: GraphNode): MissingRef {
    const { graph, reach } = this.#options;
    const maker = graph.node(this.#makers.makerOf(ghost) ?? "");
    if (maker?.object === undefined) return healthRefOf(ghost);
    const madeBy = { ref: healthRefOf(maker), why: null };
    // Two makers may lack what the other one makes.
    if (this.#explained.has(maker.id)) return { ...healthRefOf(ghost), madeBy };
    this.#explained.add(maker.id);
    try {
      const result = health(maker.object, { now: this.#now(), scope: reach, related: graph.relatedOf(maker.id) });
      return { ...healthRefOf(ghost), madeBy: { ...madeBy, why: result && this.why(maker, maker.object, result) } };
    } finally {
      this.#explained.delete(maker.id);
    }
  }
}

/** Kinds of which there may be something to notice though they are well. */
const NOTICED: ReadonlySet<string> = new Set([
  "/PersistentVolumeClaim",
  "/ResourceQuota",
  "discovery.k8s.io/EndpointSlice",
  "policy/PodDisruptionBudget",
  "autoscaling/HorizontalPodAutoscaler",
]);

function isNoticed(node: GraphNode, object: KubeObject): boolean {
  const id = `${node.group}/${node.kind}`;
  return leadsTraffic(node) || NOTICED.has(id) || (id === "/Pod" && isResized(object)) || isHeldBack(id, object);
}

/** Whether a workload waits for its pods to be deleted, or runs on no node. */
function isHeldBack(id: string, object: KubeObject): boolean {
  if (id !== "apps/StatefulSet" && id !== "apps/DaemonSet") return false;
  const strategy = textAt(fieldsAt(fieldsAt(object, "spec"), "updateStrategy"), "type");
  return strategy === "OnDelete" || fieldsAt(object, "status")["desiredNumberScheduled"] === 0;
}

/** Whether a pod is to get other resources where it runs: only then there is more to notice about it than its restarts. */
function isResized(pod: KubeObject): boolean {
  return listAt(fieldsAt(pod, "status"), "conditions").some((condition) => textAt(condition, "type").startsWith("PodResize"));
}

function leadsTraffic({ group, kind }: GraphNode): boolean {
  return kind === "Ingress" || (kind === "Service" && group === "") || group === "gateway.networking.k8s.io";
}

/** Which objects make others, by what they make, so that no next step suggests to create an object that is just being made. */
class MakerIndex {
  readonly #makers = new Map<string, Set<string>>();
  readonly #products = new Map<string, readonly string[]>();

  /** Reads what nodes make that have come, gone or changed. */
  apply({ upsertedNodes, removedNodes }: Pick<GraphChanges, "upsertedNodes" | "removedNodes">): void {
    for (const id of removedNodes) this.#remove(id);
    for (const node of upsertedNodes) this.#upsert(node);
  }

  /** Id of the first node, by id, that makes an object; `undefined` = none is known. */
  makerOf(product: ObjectKey): string | undefined {
    return [...(this.#makers.get(textOf(product)) ?? [])].toSorted()[0];
  }

  #upsert({ id, object }: GraphNode): void {
    const products = object === undefined ? [] : productsOf(object).map(textOf);
    if (products.length === 0 && !this.#products.has(id)) return;
    this.#remove(id);
    if (products.length === 0) return;
    this.#products.set(id, products);
    for (const product of products) this.#makers.set(product, (this.#makers.get(product) ?? new Set()).add(id));
  }

  #remove(id: string): void {
    for (const product of this.#products.get(id) ?? []) {
      const makers = this.#makers.get(product);
      makers?.delete(id);
      if (makers?.size === 0) this.#makers.delete(product);
    }
    this.#products.delete(id);
  }
}

function textOf({ group, kind, namespace, name }: ObjectKey): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

/**
 * Notices about owner references of a node that do not count.
 *
 * @param nodeOf the node of an id
 */
function ownerNotices(
  { kind, name }: GraphNode,
  warnings: readonly OwnerWarning[],
  nodeOf: (id: string) => GraphNode | undefined,
): HealthNotice[] {
  return warnings.map((warning) => {
    if (warning.problem === "ring") {
      const facts = { kind, name, count: warning.ids.length };
      return { reason: "OwnerRing", message: words("ownership/ring", facts), nextStep: words("ownership/ring/next", facts) };
    }
    const owner = nodeOf(warning.ids[1]);
    const facts = { kind, name, owner: `${owner?.kind ?? ""} ${owner?.name ?? ""}`, namespace: owner?.namespace ?? "" };
    return {
      reason: "OwnerInOtherNamespace",
      message: words("ownership/other-namespace", facts),
      nextStep: words("ownership/other-namespace/next", facts),
    };
  });
}
