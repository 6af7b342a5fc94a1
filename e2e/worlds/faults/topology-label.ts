import type { MakeFaultWorld } from "../fault-world.ts";
import { podSpec, unscheduledDeployment } from "../made.ts";

/** A pod that is to be spread by a label that no node has. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: "example.test/rack",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "topology-label" } },
    },
  ];
  const spec = podSpec({}, { topologySpreadConstraints });
  const objects = unscheduledDeployment(ago, "topology-label", { message, minutes: 21, spec });
  return {
    fault: "A pod that is to be spread by a label that no node has",
    objects,
    says: {
      of: "Deployment topology-label",
      place: "issue",
      cause: ["Nodes lack the label example.test/rack"],
      next: ["Label the nodes with example.test/rack"],
      since: ago(21),
    },
  };
};
