import type { MakeFaultWorld } from "../fault-world.ts";
import { refusedDeployment } from "../made.ts";

/** A ResourceQuota without room for another pod. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'pods "quota-7d9f-x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1';
  const objects = refusedDeployment(ago, "quota", { message, minutes: 22 });
  return {
    fault: "A ResourceQuota without room for another pod",
    embedded: "scripted",
    objects,
    says: { of: "Deployment quota", place: "issue", cause: ["Quota q", "requested pods=1"], next: ["quota q"], since: ago(22) },
  };
};
