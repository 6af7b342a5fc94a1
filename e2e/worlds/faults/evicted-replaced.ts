import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, ownedBy, podOf, podSpec, ready } from "../made.ts";

/** A pod was evicted, and its ReplicaSet has made another. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "evicted-replaced", { pods: [ready(ago(10))], ready: 1 });
  const message = "The node was low on resource: memory.";
  const dead = podOf(ago, "evicted-replaced-dead", { node: "bench-2", spec: podSpec(), phase: "Failed", reason: "Evicted", message });
  objects.push(ownedBy(ofKind(objects, "ReplicaSet"), dead));
  return {
    fault: "A pod was evicted, and its ReplicaSet has made another",
    embedded: "scripted",
    objects,
    says: { of: "Pod evicted-replaced-dead", place: "drawer", cause: ["evicted from node bench-2"], next: ["delete the evicted pod"] },
  };
};
