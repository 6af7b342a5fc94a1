import { listAt, namespacedKind, textAt, type KubeObject } from "@binnacle/kube";

/** Kinds that workloads own and actions are about. */
export const JOBS = namespacedKind({ group: "batch", version: "v1", kind: "Job", resource: "jobs" });
export const REPLICA_SETS = namespacedKind({ group: "apps", version: "v1", kind: "ReplicaSet", resource: "replicasets" });

/** Those that one of the owners, by uid, owns. */
export function ownedBy(items: readonly KubeObject[], owners: ReadonlySet<string>): readonly KubeObject[] {
  return items.filter(({ metadata }) => listAt(metadata, "ownerReferences").some((owner) => owners.has(textAt(owner, "uid"))));
}

/** Uids of objects. */
export function uidsOf(items: readonly KubeObject[]): ReadonlySet<string> {
  return new Set(items.map(({ metadata: { uid = "" } }) => uid).filter((uid) => uid !== ""));
}
