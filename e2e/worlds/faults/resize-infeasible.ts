import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec, ready } from "../made.ts";

/** A pod that its node cannot give the requested size. */
export const world: MakeFaultWorld = (ago) => {
  const message = "Node didn't have enough capacity: cpu, requested: 64000, capacity: 8000";
  const pending = { type: "PodResizePending", status: "True", reason: "Infeasible", message, lastTransitionTime: ago(17) };
  const now = ready(ago(50));
  const objects = deployment(ago, "resize-infeasible", {
    spec: podSpec({ resources: { requests: { cpu: "64" } } }),
    ready: 1,
    pods: [{ ...now, conditions: [{ type: "Ready", status: "True", lastTransitionTime: ago(50) }, pending] }],
  });
  return {
    fault: "A pod that its node cannot give the requested size",
    objects,
    says: {
      of: "Pod resize-infeasible-7d9f-0",
      place: "issue",
      cause: ["cannot get its new resources where it runs", "requested: 64000"],
      next: ["Ask for what the node can give"],
      since: ago(17),
    },
  };
};
