import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, warning } from "../made.ts";

/** A ResourceQuota without room for another pod. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'pods "quota-7d9f-x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1';
  const failed = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message, lastTransitionTime: ago(22) };
  const objects = deployment(ago, "quota", { conditions: [failed], setConditions: [failed] });
  objects.push(warning(ago, ofKind(objects, "ReplicaSet"), ["FailedCreate", `Error creating: ${message}`, 21, 1]));
  return {
    fault: "A ResourceQuota without room for another pod",
    embedded: "scripted",
    objects,
    says: { of: "Deployment quota", place: "issue", cause: ["Quota q", "requested pods=1"], next: ["quota q"], since: ago(22) },
  };
};
