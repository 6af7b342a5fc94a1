import type { KubeObject } from "@binnacle/kube";

/** For tests: an object of the namespace "app" whose uid is its name. */
export function object(apiVersion: string, kind: string, name: string): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: "app", uid: name } };
}

/** For tests: the child with an owner that controls it. */
export function owned(by: KubeObject, child: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = by;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true }];
  return { ...child, metadata: { ...child.metadata, ownerReferences } };
}

/** A pod that no node takes, since the start. */
export function unscheduled(name: string): KubeObject {
  const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", lastTransitionTime: "2026-01-01T00:00:00Z" };
  return { ...object("v1", "Pod", name), status: { phase: "Pending", conditions: [condition] } };
}
