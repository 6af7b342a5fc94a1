import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, ownedBy, podOf, podSpec, ready } from "../made.ts";

/** A pod that its node does not let go, while another serves in its place. */
export const world: MakeFaultWorld = (ago) => {
  const objects = deployment(ago, "stuck-terminating", { pods: [ready(ago(15))], ready: 1 });
  const metadata = { deletionTimestamp: ago(16), deletionGracePeriodSeconds: 1 };
  const leaving = podOf(ago, "stuck-terminating-old", { node: "bench-3", metadata, spec: podSpec(), ...ready(ago(50)) });
  objects.push(ownedBy(ofKind(objects, "ReplicaSet"), leaving));
  return {
    fault: "A pod that its node does not let go, while another serves in its place",
    objects,
    says: {
      of: "Pod stuck-terminating-old",
      place: "issue",
      cause: ["grace period ended at", "kubelet of node bench-3 has not confirmed"],
      next: ["--force"],
      // Its grace period was a second.
      since: ago(16 + 1 / 60),
    },
  };
};
