import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec } from "../made.ts";

/** A pod that a scheduling gate holds. */
export const world: MakeFaultWorld = (ago) => {
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  const gated = { type: "PodScheduled", status: "False", reason: "SchedulingGated", message, lastTransitionTime: ago(20) };
  const objects = deployment(ago, "scheduling-gate", {
    spec: podSpec({}, { schedulingGates: [{ name: "example.com/approval" }] }),
    pods: [{ node: "", phase: "Pending", conditions: [gated] }],
  });
  return {
    fault: "A pod that a scheduling gate holds",
    objects,
    says: {
      of: "Deployment scheduling-gate",
      place: "issue",
      cause: ["example.com/approval"],
      next: ["spec.schedulingGates example.com/approval"],
      since: ago(20),
    },
  };
};
