import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, notReady } from "../made.ts";

/** A container without a readiness probe that does not become ready. */
export const world: MakeFaultWorld = (ago) => {
  const running = { name: "app", ready: false, restartCount: 0, state: { running: { startedAt: ago(30) } } };
  const objects = deployment(ago, "not-ready", {
    pods: [{ phase: "Running", conditions: notReady(ago(30)), containerStatuses: [running] }],
    conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", lastTransitionTime: ago(20) }],
  });
  return {
    fault: "A container without a readiness probe that does not become ready",
    embedded: "scripted",
    objects,
    says: {
      of: "Deployment not-ready",
      place: "issue",
      cause: ["container app has no readiness probe"],
      next: ["add a readiness probe"],
      since: ago(30),
    },
  };
};
