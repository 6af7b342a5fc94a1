import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ready } from "../made.ts";

/** Pods that are ready and count as available only after a day. */
export const world: MakeFaultWorld = (ago) => {
  const available = ago(30 - 24 * 60);
  const objects = deployment(ago, "min-ready", {
    pods: [ready(ago(30))],
    ready: 1,
    available: 0,
    more: { minReadySeconds: 86_400, progressDeadlineSeconds: 90_000 },
    conditions: [{ type: "Available", status: "False", reason: "MinimumReplicasUnavailable", lastTransitionTime: ago(31) }],
  });
  return {
    fault: "Pods that are ready and count as available only after a day",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment min-ready",
      place: "issue",
      cause: [`${available.slice(0, 16).replace("T", " ")} UTC`, "minReadySeconds"],
      next: ["minReadySeconds"],
      since: ago(31),
    },
  };
};
