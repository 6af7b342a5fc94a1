import { HealthStatus, Presence, SettledState } from "@binnacle/proto/dashboard-enums";
import { nodeIdOf, type LiveNode } from "../../live/live-node.ts";
import { clusterNodeRef } from "../../resource/cluster-node-link.tsx";
import { millisOf } from "../../../ui/format-time.ts";
import { compare } from "@binnacle/presentation/graph/compare";
import { statusOf } from "../../live/health-status.ts";
import type { ViewState } from "@binnacle/presentation/view/view-state";

/** Reason of a pod that was marked as not ready because its node is. */
const LOST = "NodeLost";

/**
 * A Node of the cluster as something that the drawer shows: no view has it, because it is no resource of an environment. Whether there is such a Node
 * is known only once it has been read.
 *
 * @param revision another number when it is to be read again
 */
export function clusterNode(name: string, revision: number): LiveNode {
  const ref = clusterNodeRef(name);
  return {
    $typeName: "dashboard.v1.Node",
    id: nodeIdOf(ref),
    ownerId: "",
    life: 1,
    ref,
    presence: Presence.PRESENT,
    worstBelow: HealthStatus.UNSPECIFIED,
    ready: -1,
    wanted: -1,
    revision,
    images: [],
    restarts: 0,
    notices: [],
    externalUrl: "",
    superseded: false,
    generated: false,
    certificates: [],
    nodeName: "",
  };
}

/** Pods of an environment that are on a Node and have not ended, and what they show of it. */
export interface PodsOnNode {
  /** Worst first, then by name. */
  readonly pods: readonly LiveNode[];
  /** How many show that the Node is not ready. */
  readonly lost: number;
  /** Since when the first of those is not ready, milliseconds since the epoch. */
  readonly lostSinceMs: number | undefined;
  /**
   * - `all`: these are all pods of the environment.
   * - `some`: there may be more.
   * - `none`: nothing is known of pods.
   */
  readonly known: "all" | "some" | "none";
}

/** Reads the pods on a Node from a view. */
export function podsOnNode(
  nodes: Iterable<LiveNode>,
  name: string,
  { sources, complete }: Pick<ViewState, "sources" | "complete">,
): PodsOnNode {
  const found: LiveNode[] = [];
  for (const node of nodes) if (isOn(node, name)) found.push(node);
  const lost = found.filter(({ health }) => health?.reason === LOST);
  const times = lost.flatMap(({ health }) => (health?.since === undefined ? [] : [millisOf(health.since)]));
  const ofPods = sources.filter(({ group, resource }) => group === "" && resource === "pods");
  const isAll = complete && ofPods.length > 0 && ofPods.every(({ settled }) => settled === SettledState.LIVE);
  return {
    pods: found.toSorted((left, right) => statusOf(right) - statusOf(left) || compare(left.ref?.name ?? "", right.ref?.name ?? "")),
    lost: lost.length,
    lostSinceMs: times.length === 0 ? undefined : Math.min(...times),
    known: isAll ? "all" : found.length > 0 ? "some" : "none",
  };
}

/** Another number whenever one of the pods on a Node has changed. */
export function revisionOfPodsOn(nodes: Iterable<LiveNode>, name: string): number {
  let sum = 0;
  for (const node of nodes) if (isOn(node, name)) sum = (sum + node.revision + 1) % 2 ** 32;
  return sum;
}

function isOn({ nodeName, presence }: LiveNode, name: string): boolean {
  return nodeName === name && presence === Presence.PRESENT;
}
