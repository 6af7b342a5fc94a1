import { fieldsAt, isFields, numberAt, type KubeObject } from "@binnacle/kube";

import { refOf } from "./health-ref.ts";
import { isCustomGroup } from "./kubernetes-groups.ts";

/** Replicas that are ready and that are wanted. */
export interface Replicas {
  readonly ready: number;
  readonly wanted: number;
}

const WORKLOADS = new Set(["Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"]);

/** Replicas of a workload, or of a custom resource that counts them the same way; `null` when the kind has none. */
export function replicasOf(resource: KubeObject): Replicas | null {
  const object: unknown = resource;
  if (!isFields(object)) return null;
  const { group, kind } = refOf(object);
  const status = fieldsAt(object, "status");
  const wanted = numberAt(fieldsAt(object, "spec"), "replicas");
  const ready = numberAt(status, "readyReplicas");
  if (isCustomGroup(group)) return wanted === undefined || ready === undefined ? null : { ready, wanted };
  if (group !== "apps" && group !== "extensions" && group !== "") return null;
  if (kind === "DaemonSet") {
    return { ready: numberAt(status, "numberReady") ?? 0, wanted: numberAt(status, "desiredNumberScheduled") ?? 0 };
  }
  return WORKLOADS.has(kind) ? { ready: ready ?? 0, wanted: wanted ?? 1 } : null;
}
