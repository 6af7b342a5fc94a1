import type { MakeFaultWorld } from "../fault-world.ts";
import { crashing, deployment } from "../made.ts";

/** A container without a memory limit that the node kills for its memory. */
export const world: MakeFaultWorld = (ago) => {
  const end = { exitCode: 137, reason: "OOMKilled", startedAt: ago(6), finishedAt: ago(5) };
  const objects = deployment(ago, "oom", { pods: [crashing(ago(30), end, 4)] });
  return {
    fault: "A container without a memory limit that the node kills for its memory",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment oom",
      place: "issue",
      cause: ["memory ran out", "no memory limit", "restarted 4 times"],
      next: ["memory request and limit"],
      since: ago(30),
    },
  };
};
