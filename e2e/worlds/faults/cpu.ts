import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec } from "../made.ts";

/** A pod that asks for more CPU than any node has. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.";
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(20) };
  const spec = podSpec({ resources: { requests: { cpu: "1k" } } });
  const objects = deployment(ago, "cpu", { spec, pods: [{ node: "", phase: "Pending", conditions: [unscheduled] }] });
  return {
    fault: "A pod that asks for more CPU than any node has",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment cpu",
      place: "issue",
      cause: ["requests cpu 1000", "3 have too little cpu free"],
      next: ["lower the requests"],
      since: ago(20),
    },
  };
};
