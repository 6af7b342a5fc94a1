import type { MakeFaultWorld } from "../fault-world.ts";
import { podOf, podSpec } from "../made.ts";

/** A pod that is not replaced was evicted from a node without memory. */
export const world: MakeFaultWorld = (ago) => {
  const message = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 20Mi.";
  const end = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message, lastTransitionTime: ago(12) };
  const objects = [
    podOf(ago, "evicted", { node: "bench-1", spec: podSpec(), phase: "Failed", reason: "Evicted", message, conditions: [end] }),
  ];
  return {
    fault: "A pod that is not replaced was evicted from a node without memory",
    embedded: "scripted",
    objects,
    says: {
      of: "Pod evicted",
      place: "issue",
      cause: ["evicted from node bench-1", "low on resource: memory"],
      next: ["delete the evicted pod"],
      since: ago(12),
    },
  };
};
