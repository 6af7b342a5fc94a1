import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A claim that waits for its first consumer, whose class may not be read. */
export const world: MakeFaultWorld = (ago) => {
  const claim = made(ago, ["v1", "PersistentVolumeClaim", "claim-waits"], {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "waits" },
    status: { phase: "Pending" },
  });
  const event = {
    ...made(ago, ["v1", "Event", "claim-waits.waitforfirstconsumer"]),
    involvedObject: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      namespace: "app",
      name: "claim-waits",
      uid: "PersistentVolumeClaim-claim-waits",
    },
    type: "Normal",
    reason: "WaitForFirstConsumer",
    message: "waiting for first consumer to be created before binding",
    count: 9,
    firstTimestamp: ago(59),
    lastTimestamp: ago(1),
    source: { component: "made-by-hand" },
  };
  return {
    fault: "A claim that waits for its first consumer, whose class may not be read",
    objects: [claim, event],
    says: {
      of: "PersistentVolumeClaim claim-waits",
      place: "not-counted",
      cause: ["waits for the first pod that mounts it"],
      next: ["Start a pod that mounts the claim"],
      since: ago(60),
    },
  };
};
