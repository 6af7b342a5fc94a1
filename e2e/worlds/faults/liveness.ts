import type { MakeFaultWorld } from "../fault-world.ts";
import { crashing, deployment, ofKind, podSpec, warning } from "../made.ts";

/** A container that its liveness probe ends again and again. */
export const world: MakeFaultWorld = (ago) => {
  const end = { exitCode: 137, reason: "Error", startedAt: ago(6), finishedAt: ago(5) };
  const objects = deployment(ago, "liveness", {
    spec: podSpec({ livenessProbe: { httpGet: { path: "/alive", port: 8080 } } }),
    pods: [crashing(ago(30), end)],
  });
  const message = "Liveness probe failed: HTTP probe failed with statuscode: 500";
  objects.push(warning(ago, ofKind(objects, "Pod"), ["Unhealthy", message, 29, 1]));
  return {
    fault: "A container that its liveness probe ends again and again",
    objects,
    says: {
      of: "Deployment liveness",
      place: "issue",
      cause: ["liveness probe (GET /alive on port 8080)"],
      next: ["answer its liveness probe (GET /alive on port 8080) in time"],
      since: ago(30),
    },
  };
};
