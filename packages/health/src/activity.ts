import type { HealthResult } from "./health-result.ts";
import type { HealthStatus } from "./health-status.ts";
import type { RootReason } from "./issue-groups.ts";
import { nodeOfKey } from "./why/root-key.ts";

/** What something does that is neither well nor broken by itself, each for only what it is. */
const ACTIVITIES = ["not-ready", "rolling-out", "starting", "waiting", "deleting", "running", "in-progress"] as const;

/**
 * - `not-ready`: it runs and does not serve, or its node is lost.
 * - `rolling-out`: a workload replaces its pods.
 * - `starting`: its pods are on their way up, without a new revision.
 * - `waiting`: something else has to happen first: a node with room, a volume, metrics, a right.
 * - `deleting`: it is being deleted.
 * - `running`: it runs to an end.
 * - `in-progress`: nothing says which of these.
 */
export type Activity = (typeof ACTIVITIES)[number];

/** How many roots of a status do the same. */
export interface ActivityCount {
  readonly status: HealthStatus;
  readonly activity: Activity;
  readonly count: number;
  /** Names of the nodes that are not ready, sorted, at most three; empty where no node is the cause. */
  readonly nodes: readonly string[];
}

/** Nodes that are named for one activity. */
const MAX_NODES = 3;

/** Reasons of workloads that replace their pods. */
const ROLLOUT_REASONS = new Set(["RolloutInProgress", "OldReplicas"]);

/** By the row of the root reason, else by its family. */
const BY_ROW: Readonly<Record<string, Activity>> = {
  "start/starting": "starting",
  "start/stuck": "starting",
  "start/waiting": "starting",
  "start/init-running": "starting",
  "start/sandbox": "waiting",
  "start/not-taken": "not-ready",
  "start/not-ready": "not-ready",
  "start/not-ready-without-probe": "not-ready",
  "start/readiness-gate": "waiting",
  "start/runs-to-end": "running",
  "job/running": "running",
  "job/last-run": "running",
  "rollout/min-ready": "waiting",
  "lifecycle/not-observed": "waiting",
};

const BY_FAMILY: Readonly<Record<string, Activity>> = {
  probe: "not-ready",
  crash: "not-ready",
  node: "not-ready",
  scheduling: "waiting",
  storage: "waiting",
  reference: "waiting",
  creation: "waiting",
  autoscaling: "waiting",
  network: "waiting",
};

/**
 * What a root does; `undefined` for one that is well, suspended or missing, and for one that is broken by itself.
 *
 * @param why absent = not explained
 */
export function activityOf({ status, reason }: Pick<HealthResult, "status" | "reason">, why: RootReason | undefined): Activity | undefined {
  const node = why === undefined ? undefined : nodeOfKey(why.rootKey);
  const isNodeLost =
    why !== undefined && node !== undefined && (why.message.id.startsWith("node/") || why.message.id === "start/not-taken");
  if (status !== "Progressing") return status === "Degraded" && isNodeLost ? "not-ready" : undefined;
  if (isNodeLost) return "not-ready";
  if (reason === "Terminating") return "deleting";
  const id = why?.message.id ?? "";
  const byCause = BY_ROW[id] ?? BY_FAMILY[id.slice(0, id.indexOf("/"))];
  // A rollout goes on while its new pods start or are not ready yet, but not while they wait for something else.
  if (ROLLOUT_REASONS.has(reason) && byCause !== "waiting") return "rolling-out";
  return byCause ?? "in-progress";
}

/** Counts activities of roots, in the order of ACTIVITIES, those of what is worse first. */
export class ActivityCounts {
  readonly #counts = new Map<string, { readonly status: HealthStatus; readonly activity: Activity; count: number; nodes: Set<string> }>();

  add(health: HealthResult, why: RootReason | undefined): void {
    const activity = activityOf(health, why);
    if (activity === undefined) return;
    const key = `${health.status}/${activity}`;
    const counted = this.#counts.get(key) ?? { status: health.status, activity, count: 0, nodes: new Set<string>() };
    counted.count += 1;
    const node = activity === "not-ready" && why !== undefined ? nodeOfKey(why.rootKey) : undefined;
    if (node !== undefined) counted.nodes.add(node);
    this.#counts.set(key, counted);
  }

  list(): readonly ActivityCount[] {
    const all = [...this.#counts.values()].map(({ nodes, ...rest }) => ({ ...rest, nodes: [...nodes].sort().slice(0, MAX_NODES) }));
    const rankOf = ({ status, activity }: ActivityCount): number =>
      (status === "Degraded" ? 0 : ACTIVITIES.length) + ACTIVITIES.indexOf(activity);
    return all.sort((left, right) => rankOf(left) - rankOf(right));
  }
}
