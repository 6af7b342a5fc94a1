import type { MakeFaultWorld } from "../fault-world.ts";
import { made, podSpec, warning } from "../made.ts";

/** A quota of storage without room for another claim. */
export const world: MakeFaultWorld = (ago) => {
  const message =
    'pods "storage-quota-0": exceeded quota: storage, requested: requests.storage=10Gi, used: requests.storage=95Gi, limited: requests.storage=100Gi';
  const set = made(ago, ["apps/v1", "StatefulSet", "storage-quota"], {
    metadata: { generation: 1 },
    spec: {
      replicas: 1,
      serviceName: "db",
      selector: { matchLabels: { app: "storage-quota" } },
      template: { metadata: { labels: { app: "storage-quota" } }, spec: podSpec() },
    },
    status: { observedGeneration: 1, replicas: 0, currentRevision: "a", updateRevision: "a" },
  });
  const eventMessage = `create Claim data-storage-quota-0 Pod storage-quota-0 in StatefulSet storage-quota failed error: persistentvolumeclaims is forbidden: ${message}`;
  const objects = [set, warning(ago, set, ["FailedCreate", eventMessage, 23, 1])];
  return {
    fault: "A quota of storage without room for another claim",
    embedded: "scripted",
    objects,
    says: {
      of: "StatefulSet storage-quota",
      place: "issue",
      cause: ["Quota storage", "requests.storage=10Gi"],
      next: ["quota storage"],
      since: ago(23),
    },
  };
};
