import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ready } from "../made.ts";

/** A Deployment that a user has paused. */
export const world: MakeFaultWorld = (ago) => {
  const paused = { type: "Progressing", status: "Unknown", reason: "DeploymentPaused", lastTransitionTime: ago(34) };
  const objects = deployment(ago, "paused", { pods: [ready(ago(50))], ready: 1, more: { paused: true }, conditions: [paused] });
  return {
    fault: "A Deployment that a user has paused",
    embedded: "made",
    objects,
    says: {
      of: "Deployment paused",
      place: "not-counted",
      cause: ["is paused on purpose"],
      next: ["Resume Deployment paused"],
      since: ago(34),
    },
  };
};
