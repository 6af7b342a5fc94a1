import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import {
  noticesOf,
  whyMissing,
  whyOf,
  type HealthNotice,
  type HealthRef,
  type HealthResult,
  type HealthStatus,
  type Why,
} from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import type { EventIndex } from "./event-index.ts";
import { surroundingsOf } from "./surroundings.ts";
import { healthRefOf } from "./view-names.ts";

/** What an explainer works with. */
export interface NodeExplainerOptions {
  readonly graph: ResourceGraph;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly events: EventIndex;
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

/** Says why a node is not well, with everything that the graph and the events know around it. */
export class NodeExplainer {
  readonly #options: NodeExplainerOptions;

  constructor(options: NodeExplainerOptions) {
    this.#options = options;
  }

  /** @returns `null` for what is well */
  why(node: GraphNode, object: KubeObject, result: HealthResult): Why | null {
    if (result.status === "Healthy") return null;
    const { graph, events, statusOf } = this.#options;
    const related = surroundingsOf(node, graph, statusOf);
    const reports = [object, ...related].flatMap((each) => events.about(each));
    return whyOf(object, { now: this.#now(), missing: this.#missingOf(node), health: result, related, events: reports });
  }

  /** Why a ghost is missed. */
  whyMissing(ghost: GraphNode, referencedBy: readonly GraphNode[]): Why {
    return whyMissing(healthRefOf(ghost), referencedBy.map(healthRefOf));
  }

  /** What is worth knowing and leaves the status alone. */
  notices(node: GraphNode, object: KubeObject, { result, known, restarts }: NoticeQuestion): readonly HealthNotice[] {
    const { graph, statusOf } = this.#options;
    // Of most of thousands of objects there is nothing to say, and asking costs more than their health.
    const missing = this.#missingOf(node);
    if (!isNoticed(node) && restarts === 0 && result?.stale !== true && missing.length === 0) return [];
    // Only of traffic there is something to notice that is not in the object itself.
    const related = known && leadsTraffic(node) ? { related: surroundingsOf(node, graph, statusOf) } : {};
    return noticesOf(object, { now: this.#now(), missing, health: result, ...related });
  }

  #now(): Date {
    return new Date(this.#options.now());
  }

  #missingOf(node: GraphNode): HealthRef[] {
    return this.#options.graph.missingOf(node.id).map(healthRefOf);
  }
}

/** Kinds of which there may be something to notice though they are well. */
const NOTICED: ReadonlySet<string> = new Set([
  "/PersistentVolumeClaim",
  "policy/PodDisruptionBudget",
  "autoscaling/HorizontalPodAutoscaler",
]);

function isNoticed(node: GraphNode): boolean {
  return leadsTraffic(node) || NOTICED.has(`${node.group}/${node.kind}`);
}

function leadsTraffic({ group, kind }: GraphNode): boolean {
  return kind === "Ingress" || (kind === "Service" && group === "") || group === "gateway.networking.k8s.io";
}
