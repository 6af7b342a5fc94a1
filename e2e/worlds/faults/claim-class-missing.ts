import type { MakeFaultWorld } from "../fault-world.ts";
import { made, warning } from "../made.ts";

/** A claim whose storage class does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const claim = made(ago, ["v1", "PersistentVolumeClaim", "claim-class-missing"], {
    spec: { storageClassName: "no-such-class", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    status: { phase: "Pending" },
  });
  const message = 'storageclass.storage.k8s.io "no-such-class" not found';
  const objects = [claim, warning(ago, claim, ["ProvisioningFailed", message, 40, 1])];
  return {
    fault: "A claim whose storage class does not exist",
    embedded: "made",
    objects,
    says: {
      of: "PersistentVolumeClaim claim-class-missing",
      place: "issue",
      cause: ["StorageClass no-such-class does not exist"],
      next: ["no-such-class"],
      since: ago(60),
    },
  };
};
