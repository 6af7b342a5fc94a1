import type { MakeFaultWorld } from "../fault-world.ts";
import { podSpec, unscheduledDeployment } from "../made.ts";

/** A pod whose nodeSelector no node has. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  const spec = podSpec({}, { nodeSelector: { "bench.kas/no-such-node": "here" } });
  const objects = unscheduledDeployment(ago, "unschedulable", { message, minutes: 20, spec });
  return {
    fault: "A pod whose nodeSelector no node has",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment unschedulable",
      place: "issue",
      cause: ["bench.kas/no-such-node=here"],
      next: ["Label a node bench.kas/no-such-node=here"],
      since: ago(20),
    },
  };
};
