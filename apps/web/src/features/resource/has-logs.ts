import type { ResourceRef } from "@binnacle/proto/dashboard";

const WORKLOADS: ReadonlySet<string> = new Set([
  "apps/Deployment",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "apps/ReplicaSet",
  "batch/Job",
  "batch/CronJob",
  "/ReplicationController",
]);

/** Whether a resource has pods of its own whose logs can be read. */
export function isWorkload({ group, kind }: Pick<ResourceRef, "group" | "kind">): boolean {
  return WORKLOADS.has(`${group}/${kind}`);
}

/** Whether there are logs of a resource: of a pod, or of what has pods. */
export function hasLogs(ref: Pick<ResourceRef, "group" | "kind">): boolean {
  return (ref.group === "" && ref.kind === "Pod") || isWorkload(ref);
}
