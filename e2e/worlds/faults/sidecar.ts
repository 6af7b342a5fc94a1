import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec } from "../made.ts";

/** A sidecar that crashes again and again. */
export const world: MakeFaultWorld = (ago) => {
  const since = ago(24);
  const end = { exitCode: 1, reason: "Error", startedAt: ago(2), finishedAt: ago(2) };
  const mesh = {
    name: "mesh",
    ready: false,
    started: false,
    restartCount: 6,
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container=mesh" } },
    lastState: { terminated: end },
  };
  const main = { name: "app", ready: false, restartCount: 0, state: { waiting: { reason: "PodInitializing" } } };
  const objects = deployment(ago, "sidecar", {
    spec: podSpec({}, { initContainers: [{ name: "mesh", image: "registry.example/mesh:1", restartPolicy: "Always" }] }),
    pods: [
      {
        phase: "Pending",
        startTime: since,
        conditions: [{ type: "Ready", status: "False", reason: "ContainersNotReady", lastTransitionTime: since }],
        initContainerStatuses: [mesh],
        containerStatuses: [main],
      },
    ],
  });
  return {
    fault: "A sidecar that crashes again and again",
    objects,
    says: { of: "Deployment sidecar", place: "issue", cause: ["Sidecar container mesh"], next: ["-c mesh --previous"], since },
  };
};
