import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, made, ofKind, podSpec, warning } from "../made.ts";

/** A pod whose volume lies on a node that is gone. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(22) };
  const claim = made(ago, ["v1", "PersistentVolumeClaim", "volume-of-a-lost-node"], {
    metadata: { annotations: { "volume.kubernetes.io/selected-node": "worker-9" } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "local",
      volumeName: "pv-of-a-lost-node",
    },
    status: { phase: "Bound", capacity: { storage: "1Gi" } },
  });
  const spec = podSpec({}, { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "volume-of-a-lost-node" } }] });
  const objects = deployment(ago, "lost-volume", { spec, pods: [{ node: "", phase: "Pending", conditions: [unscheduled] }] });
  objects.push(claim, warning(ago, ofKind(objects, "Pod"), ["FailedScheduling", message, 14, 1]));
  return {
    fault: "A pod whose volume lies on a node that is gone",
    objects,
    says: {
      of: "Deployment lost-volume",
      place: "issue",
      cause: ["pv-of-a-lost-node of PersistentVolumeClaim volume-of-a-lost-node", "made for node worker-9"],
      next: ["bring back a node that reaches the volume"],
      since: ago(22),
    },
  };
};
