import type { MakeFaultWorld } from "../fault-world.ts";
import { made, podSpec } from "../made.ts";

/** A DaemonSet that selects no node. */
export const world: MakeFaultWorld = (ago) => {
  const spec = podSpec({}, { nodeSelector: { "bench.kas/gpu": "yes" } });
  const objects = [
    made(ago, ["apps/v1", "DaemonSet", "daemon-set-no-node"], {
      metadata: { generation: 1 },
      spec: { selector: { matchLabels: { app: "no-node" } }, template: { metadata: { labels: { app: "no-node" } }, spec } },
      status: { observedGeneration: 1, desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    }),
  ];
  return {
    fault: "A DaemonSet that selects no node",
    objects,
    says: {
      of: "DaemonSet daemon-set-no-node",
      place: "not-counted",
      cause: ["No node matches DaemonSet daemon-set-no-node, which demands bench.kas/gpu=yes"],
      next: ["Label a node"],
    },
  };
};
