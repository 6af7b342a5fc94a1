import type { MakeFaultWorld } from "../fault-world.ts";
import { made, ownedBy, podOf, podSpec, ready } from "../made.ts";

/** A StatefulSet that waits for its old pods to be deleted. */
export const world: MakeFaultWorld = (ago) => {
  const labels = { app: "update-on-delete" };
  const set = made(ago, ["apps/v1", "StatefulSet", "update-on-delete"], {
    metadata: { generation: 2 },
    spec: {
      replicas: 2,
      serviceName: "update-on-delete",
      selector: { matchLabels: labels },
      updateStrategy: { type: "OnDelete" },
      template: { metadata: { labels }, spec: podSpec() },
    },
    status: {
      observedGeneration: 2,
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      currentReplicas: 2,
      currentRevision: "update-on-delete-a",
      updateRevision: "update-on-delete-b",
    },
  });
  const pods = ["update-on-delete-0", "update-on-delete-1"].map((name) =>
    ownedBy(set, podOf(ago, name, { labels, spec: podSpec(), ...ready(ago(50)) })),
  );
  return {
    fault: "A StatefulSet that waits for its old pods to be deleted",
    objects: [set, ...pods],
    says: {
      of: "StatefulSet update-on-delete",
      place: "not-counted",
      cause: ["0 of 2 pods of StatefulSet update-on-delete have its new template"],
      next: ["Delete the old pods"],
    },
  };
};
