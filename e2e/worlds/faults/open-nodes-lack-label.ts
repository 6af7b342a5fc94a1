import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, podSpec, warning } from "../made.ts";

/** A pod whose nodeSelector no node has, beside a node with a taint. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/4 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(19) };
  const spec = podSpec({}, { nodeSelector: { "bench.kas/no-such-disk": "ssd" } });
  const objects = deployment(ago, "open-nodes-lack-label", { spec, pods: [{ node: "", phase: "Pending", conditions: [unscheduled] }] });
  objects.push(warning(ago, ofKind(objects, "Pod"), ["FailedScheduling", message, 14, 1]));
  return {
    fault: "A pod whose nodeSelector no node has, beside a node with a taint",
    objects,
    says: {
      of: "Deployment open-nodes-lack-label",
      place: "issue",
      cause: ["bench.kas/no-such-disk=ssd", "1 has the taint node.kubernetes.io/unreachable"],
      next: ["Label a node bench.kas/no-such-disk=ssd"],
      since: ago(19),
    },
  };
};
