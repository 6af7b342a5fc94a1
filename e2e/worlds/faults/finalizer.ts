import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A ConfigMap that a finalizer holds. */
export const world: MakeFaultWorld = (ago) => {
  const metadata = { deletionTimestamp: ago(14), deletionGracePeriodSeconds: 0, finalizers: ["bench.example.test/hold"] };
  const objects = [made(ago, ["v1", "ConfigMap", "finalizer"], { metadata })];
  return {
    fault: "A ConfigMap that a finalizer holds",
    embedded: "made",
    objects,
    says: {
      of: "ConfigMap finalizer",
      place: "issue",
      cause: ["waits for finalizers: bench.example.test/hold"],
      next: ["remove the finalizer by hand only when it never will"],
      since: ago(14),
    },
  };
};
