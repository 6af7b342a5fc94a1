import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, podSpec } from "../made.ts";

/** A pod whose readiness gate nothing opens. */
export const world: MakeFaultWorld = (ago) => {
  const message = 'corresponding condition of pod readiness gate "example.com/registered" does not exist.';
  const objects = deployment(ago, "readiness-gate", {
    spec: podSpec({}, { readinessGates: [{ conditionType: "example.com/registered" }] }),
    pods: [
      {
        phase: "Running",
        conditions: [
          { type: "ContainersReady", status: "True", lastTransitionTime: ago(30) },
          { type: "Ready", status: "False", reason: "ReadinessGatesNotReady", message, lastTransitionTime: ago(31) },
        ],
        containerStatuses: [{ name: "app", ready: true, restartCount: 0, state: { running: { startedAt: ago(30) } } }],
      },
    ],
  });
  return {
    fault: "A pod whose readiness gate nothing opens",
    objects,
    says: {
      of: "Deployment readiness-gate",
      place: "issue",
      cause: ["example.com/registered"],
      next: ["spec.readinessGates of pod readiness-gate-7d9f-0"],
      since: ago(31),
    },
  };
};
