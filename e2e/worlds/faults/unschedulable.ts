import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, podSpec, warning } from "../made.ts";

/** A pod whose nodeSelector no node has. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(20) };
  const spec = podSpec({}, { nodeSelector: { "bench.kas/no-such-node": "here" } });
  const objects = deployment(ago, "unschedulable", { spec, pods: [{ node: "", phase: "Pending", conditions: [unscheduled] }] });
  // The scheduler begins a new Event after five minutes: what it says there is the same episode.
  objects.push(warning(ago, ofKind(objects, "Pod"), ["FailedScheduling", message, 14, 1]));
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
