import type { MakeFaultWorld } from "../fault-world.ts";
import { crashing, made, ownedBy, podOf, podSpec } from "../made.ts";

/** A StatefulSet whose pod ends again and again. */
export const world: MakeFaultWorld = (ago) => {
  const spec = {
    replicas: 1,
    serviceName: "db",
    selector: { matchLabels: { app: "stateful-set" } },
    template: { metadata: { labels: { app: "stateful-set" } }, spec: podSpec() },
  };
  const set = made(ago, ["apps/v1", "StatefulSet", "stateful-set"], {
    metadata: { generation: 1 },
    spec,
    status: { observedGeneration: 1, replicas: 1, readyReplicas: 0, currentRevision: "a", updateRevision: "a" },
  });
  const end = { exitCode: 1, reason: "Error", startedAt: ago(6), finishedAt: ago(5) };
  const objects = [set, ownedBy(set, podOf(ago, "stateful-set-0", { spec: podSpec(), ...crashing(ago(30), end) }))];
  return {
    fault: "A StatefulSet whose pod ends again and again",
    embedded: "scripted",
    objects,
    says: { of: "StatefulSet stateful-set", place: "issue", cause: ["exited with code 1"], next: ["--previous"], since: ago(30) },
  };
};
