import type { MakeFaultWorld } from "../fault-world.ts";
import { crashing, deployment, podSpec } from "../made.ts";

/** A container that uses more memory than its limit. */
export const world: MakeFaultWorld = (ago) => {
  const end = { exitCode: 137, reason: "OOMKilled", startedAt: ago(6), finishedAt: ago(5) };
  const spec = podSpec({ resources: { limits: { memory: "256Mi" } } });
  const objects = deployment(ago, "oom-limit", { spec, pods: [crashing(ago(30), end, 4)] });
  return {
    fault: "A container that uses more memory than its limit",
    embedded: "scripted",
    objects,
    says: { of: "Deployment oom-limit", place: "issue", cause: ["its limit of 256Mi"], next: ["above 256Mi"], since: ago(30) },
  };
};
