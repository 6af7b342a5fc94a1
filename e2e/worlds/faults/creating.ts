import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, waiting } from "../made.ts";

/** A container that is still being created long after the deadline of its rollout. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "creating", {
    pods: [{ ...waiting(ago(25), ["ContainerCreating", ""]), metadata: { creationTimestamp: ago(25) } }],
    conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", lastTransitionTime: ago(15) }],
  });
  return {
    fault: "A container that is still being created long after the deadline of its rollout",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment creating",
      place: "issue",
      cause: ["has not started"],
      next: ["Read the events", "kubelet"],
      since: ago(25),
    },
  };
};
