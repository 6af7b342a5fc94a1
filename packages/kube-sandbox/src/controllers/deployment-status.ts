import { timestampOf, type ApiObject } from "../api-object.ts";
import { listIn, numberIn, textIn, valueIn, type Tree } from "../json-tree.ts";
import { rolloutBounds } from "./deployment-rollout.ts";
import { conditionOf, withCondition } from "./pod-state.ts";
import { positive } from "./replica-set-controller.ts";

/** What a status is computed from. */
export interface StatusInput {
  readonly deployment: ApiObject;
  readonly sets: readonly ApiObject[];
  readonly current: ApiObject | undefined;
  /** The current ReplicaSet was made in this very pass. */
  readonly created: boolean;
  readonly now: number;
}

/** The status of a Deployment; `againMs` when its deadline must be looked at again. */
export interface StatusResult {
  readonly status: Tree;
  readonly complete: boolean;
  readonly againMs: number | undefined;
}

function total(sets: readonly ApiObject[], field: string): number {
  return sets.reduce((sum, set) => sum + (numberIn(set, "status", field) ?? 0), 0);
}

/** Status and conditions of a Deployment, with the reasons and sentences of the real controller. Pure. */
export function deploymentStatus(input: StatusInput): StatusResult {
  const { deployment, sets, current, now } = input;
  const wanted = numberIn(deployment, "spec", "replicas") ?? 1;
  const available = total(sets, "availableReplicas");
  const replicas = total(sets, "replicas");
  const updated = current ? total([current], "replicas") : 0;
  const counts = {
    replicas,
    updatedReplicas: updated,
    readyReplicas: total(sets, "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(
      0,
      Math.max(
        wanted,
        sets.reduce((sum, set) => sum + (numberIn(set, "spec", "replicas") ?? 0), 0),
      ) - available,
    ),
  };
  const complete = updated === wanted && replicas === wanted && available === wanted;
  const time = timestampOf(now);
  const enough = available >= wanted - rolloutBounds(deployment).unavailable;
  const availability = {
    type: "Available",
    status: enough ? "True" : "False",
    reason: enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
    message: enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
  };
  const { condition, againMs, moved = false } = progress(input, { counts, complete });
  let conditions: unknown[] = [...listIn(deployment, "status", "conditions")];
  for (const next of [availability, ...(condition ? [condition] : [])]) {
    const before = conditionOf({ status: { conditions } }, next.type);
    const same =
      textIn(before, "status") === next.status && textIn(before, "reason") === next.reason && textIn(before, "message") === next.message;
    const stamp = same && !(moved && next.type === "Progressing") ? (textIn(before, "lastUpdateTime") ?? time) : time;
    conditions = withCondition(conditions, { ...next, lastUpdateTime: stamp }, time);
  }
  return { status: { observedGeneration: deployment.metadata.generation, ...positive(counts), conditions }, complete, againMs };
}

interface Progress {
  readonly condition: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string } | undefined;
  readonly againMs: number | undefined;
  /** Pods came or went the right way: the deadline starts anew. */
  readonly moved?: boolean;
}

function progress(
  { deployment, current, created, now }: StatusInput,
  { counts, complete }: { readonly counts: Readonly<Record<string, number>>; readonly complete: boolean },
): Progress {
  const before = conditionOf(deployment, "Progressing");
  const reason = textIn(before, "reason");
  const set = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const say = (status: string, why: string, message: string): Progress => ({
    condition: { type: "Progressing", status, reason: why, message },
    againMs: undefined,
  });
  if (valueIn(deployment, "spec", "paused") === true)
    return reason === "DeploymentPaused"
      ? { condition: undefined, againMs: undefined }
      : say("Unknown", "DeploymentPaused", "Deployment is paused");
  if (complete) return say("True", "NewReplicaSetAvailable", `${set} has successfully progressed.`);
  const deadlineMs = (numberIn(deployment, "spec", "progressDeadlineSeconds") ?? 600) * 1_000;
  if (created)
    return { ...say("True", "NewReplicaSetCreated", `Created new replica set "${current?.metadata.name}"`), againMs: deadlineMs };
  const past = (field: string): number => numberIn(deployment, "status", field) ?? 0;
  const oldPods = (counts["replicas"] ?? 0) - (counts["updatedReplicas"] ?? 0);
  const moved =
    (counts["updatedReplicas"] ?? 0) > past("updatedReplicas") ||
    oldPods < past("replicas") - past("updatedReplicas") ||
    (counts["readyReplicas"] ?? 0) > past("readyReplicas") ||
    (counts["availableReplicas"] ?? 0) > past("availableReplicas");
  if (moved || before === undefined || reason === "DeploymentPaused") {
    return { ...say("True", "ReplicaSetUpdated", `${set} is progressing.`), againMs: deadlineMs, moved: true };
  }
  // A rollout that was complete and now lacks pods does not time out: no deadline runs after success.
  if (reason === "NewReplicaSetAvailable" && numberIn(deployment, "status", "observedGeneration") === deployment.metadata.generation)
    return { condition: undefined, againMs: undefined };
  if (reason === "NewReplicaSetAvailable") return { ...say("True", "ReplicaSetUpdated", `${set} is progressing.`), againMs: deadlineMs };
  if (reason === "ProgressDeadlineExceeded") return { condition: undefined, againMs: undefined };
  const since = Date.parse(textIn(before, "lastUpdateTime") ?? "") || now;
  const leftMs = since + deadlineMs - now;
  if (leftMs <= 0) return say("False", "ProgressDeadlineExceeded", `${set} has timed out progressing.`);
  return { condition: undefined, againMs: leftMs + 1_000 };
}
