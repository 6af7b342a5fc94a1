import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy, podOf, podSpec, warning } from "../made.ts";

/** A StatefulSet whose claim names a storage class that does not exist. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
  const [labels, name] = [{ app: "stateful-set-claim" }, "data-stateful-set-claim-0"];
  const claimSpec = { storageClassName: "no-such-disks", accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const set = made(ago, ["apps/v1", "StatefulSet", "stateful-set-claim"], {
    metadata: { generation: 1 },
    spec: {
      replicas: 3,
      serviceName: "db",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec() },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec }],
    },
    status: { observedGeneration: 1, replicas: 1, readyReplicas: 0, currentRevision: "a", updateRevision: "a" },
  });
  const claim = made(ago, ["v1", "PersistentVolumeClaim", name], {
    metadata: { labels, creationTimestamp: ago(26) },
    spec: claimSpec,
    status: { phase: "Pending" },
  });
  const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime: ago(26) };
  const spec = podSpec({}, { volumes: [{ name: "data", persistentVolumeClaim: { claimName: name } }] });
  const pod = ownedBy(set, podOf(ago, "stateful-set-claim-0", { labels, spec, node: "", phase: "Pending", conditions: [unscheduled] }));
  const objects = [
    set,
    claim,
    pod,
    warning(ago, claim, ["ProvisioningFailed", 'storageclass.storage.k8s.io "no-such-disks" not found', 26, 1]),
    warning(ago, pod, ["FailedScheduling", message, 20, 1]),
  ];
  return {
    fault: "A StatefulSet whose claim names a storage class that does not exist",
    objects,
    says: {
      of: "StatefulSet stateful-set-claim",
      place: "issue",
      cause: ["StorageClass no-such-disks does not exist"],
      next: ["no-such-disks"],
      since: ago(26),
    },
  };
};
