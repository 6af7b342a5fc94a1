import type { ResourceRef } from "@binnacle/proto/dashboard";

/** Kinds that have pods of their own whose logs can be read, by `{group}/{resource}`. */
export const WORKLOAD_KINDS: Readonly<Record<string, string>> = {
  "apps/deployments": "Deployment",
  "apps/statefulsets": "StatefulSet",
  "apps/daemonsets": "DaemonSet",
  "apps/replicasets": "ReplicaSet",
  "batch/jobs": "Job",
  "batch/cronjobs": "CronJob",
  "/replicationcontrollers": "ReplicationController",
};
const WORKLOADS: ReadonlySet<string> = new Set(
  Object.entries(WORKLOAD_KINDS).map(([resource, kind]) => `${resource.slice(0, resource.indexOf("/"))}/${kind}`),
);

/** Whether a resource has pods of its own whose logs can be read. */
export function isWorkload({ group, kind }: Pick<ResourceRef, "group" | "kind">): boolean {
  return WORKLOADS.has(`${group}/${kind}`);
}

/** Whether there are logs of a resource: of a pod, or of what has pods. */
export function hasLogs(ref: Pick<ResourceRef, "group" | "kind">): boolean {
  return (ref.group === "" && ref.kind === "Pod") || isWorkload(ref);
}
