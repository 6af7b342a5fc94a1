import type { MakeFaultWorld } from "../fault-world.ts";
import { deployment, ofKind, warning } from "../made.ts";

/** A node that no longer reports, with the pods on it. */
export const world: MakeFaultWorld = (ago) => {
  const lost = { type: "Ready", status: "False", lastTransitionTime: ago(17) };
  const running = { name: "app", ready: true, restartCount: 0, state: { running: { startedAt: ago(50) } } };
  const objects = deployment(ago, "node-not-ready", {
    pods: [{ node: "bench-2", phase: "Running", conditions: [lost], containerStatuses: [running] }],
  });
  // A view of an environment has no nodes: the controller of nodes says it of their pods.
  objects.push(warning(ago, ofKind(objects, "Pod"), ["NodeNotReady", "Node is not ready", 17, 17]));
  return {
    fault: "A node that no longer reports, with the pods on it",
    embedded: "scripted",
    objects,
    says: { of: "Deployment node-not-ready", place: "issue", cause: ["bench-2"], next: ["bench-2"], since: ago(17) },
  };
};
