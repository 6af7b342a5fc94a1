import type { MakeFaultWorld } from "../fault-world.ts";
import { podSpec, unscheduledDeployment } from "../made.ts";

/** A pod whose nodeSelector no node has, beside a node with a taint. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/4 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
  const spec = podSpec({}, { nodeSelector: { "bench.kas/no-such-disk": "ssd" } });
  const objects = unscheduledDeployment(ago, "open-nodes-lack-label", { message, minutes: 19, spec });
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
