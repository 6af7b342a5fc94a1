import type { MakeFaultWorld } from "../fault-world.ts";
import { made } from "../made.ts";

/** A claim that serves on and does not get the size that was asked for. */
export const world: MakeFaultWorld = (ago) => {
  const failed = { type: "ControllerResizeError", status: "True", message: "disk shop is not resizable", lastTransitionTime: ago(19) };
  const claim = made(ago, ["v1", "PersistentVolumeClaim", "claim-resize"], {
    spec: {
      storageClassName: "standard",
      volumeName: "volume-of-claim-resize",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    },
    status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], conditions: [failed] },
  });
  return {
    fault: "A claim that serves on and does not get the size that was asked for",
    embedded: "scripted",
    objects: [claim],
    says: {
      of: "PersistentVolumeClaim claim-resize",
      place: "issue",
      cause: ["disk shop is not resizable"],
      next: ["request a size that the storage supports"],
      since: ago(19),
    },
  };
};
