import type { MakeFaultWorld } from "../fault-world.ts";
import { daemonSet, podSpec, ready } from "../made.ts";

/** A DaemonSet that one of its nodes has no room for. */
export const world: MakeFaultWorld = (ago) => {
  const message = "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].";
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(21) };
  const spec = podSpec({ resources: { requests: { memory: "64Gi" } } });
  return {
    fault: "A DaemonSet that one of its nodes has no room for",
    embedded: "scripted",
    objects: daemonSet(ago, "daemon-set-room", {
      spec,
      pods: [ready(ago(50)), { node: "", phase: "Pending", conditions: [unscheduled] }],
    }),
    says: { of: "DaemonSet daemon-set-room", place: "issue", cause: ["requests memory 64Gi"], next: ["requests"], since: ago(21) },
  };
};
