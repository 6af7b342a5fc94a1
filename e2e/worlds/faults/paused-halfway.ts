import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ready } from "../made.ts";

/** A Deployment that was paused in the middle of a rollout. */
export const world: MakeFaultWorld = (ago) => {
  const paused = { type: "Progressing", status: "Unknown", reason: "DeploymentPaused", lastTransitionTime: ago(31) };
  const objects = deployment(ago, "paused-halfway", {
    pods: [ready(ago(50)), ready(ago(50)), ready(ago(32))],
    ready: 3,
    more: { paused: true },
    conditions: [paused],
  }).map((object) => {
    if (object.kind !== "Deployment") return object;
    return { ...object, status: { ...(object["status"] as object), updatedReplicas: 1 } };
  });
  return {
    fault: "A Deployment that was paused in the middle of a rollout",
    objects,
    says: {
      of: "Deployment paused-halfway",
      place: "not-counted",
      cause: ["1 of 3 pods are new, and 2 old pods run beside them"],
      next: ["Resume Deployment paused-halfway"],
      since: ago(31),
    },
  };
};
