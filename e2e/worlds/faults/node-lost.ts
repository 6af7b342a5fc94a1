import type { MakeFaultWorld } from "../fault-world.ts";
import { daemonSet, deployment, ofKind, podOf, podSpec, warning } from "../made.ts";

/** A node that was lost, with a pod that was evicted from it long before, and a pod of a DaemonSet that was placed on it afterwards. */
export const world: MakeFaultWorld = (ago) => {
  const lost = { type: "Ready", status: "False", lastTransitionTime: ago(19) };
  const running = { name: "app", ready: true, restartCount: 0, state: { running: { startedAt: ago(50) } } };
  const objects = deployment(ago, "node-lost", {
    pods: [{ node: "bench-1", phase: "Running", startTime: ago(50), conditions: [lost], containerStatuses: [running] }],
  });
  objects.push(warning(ago, ofKind(objects, "Pod"), ["NodeNotReady", "Node is not ready", 19, 19]));
  const message = "The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 200Mi.";
  const end = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message, lastTransitionTime: ago(55) };
  const evicted = { node: "bench-1", spec: podSpec(), phase: "Failed", reason: "Evicted", message, conditions: [end] };
  const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime: ago(0.5) };
  const waiting = { node: "bench-1", metadata: { creationTimestamp: ago(0.5) }, phase: "Pending", conditions: [scheduled] };
  return {
    fault: "A lost node, a pod that was evicted from it long before, and a pod of a DaemonSet that cannot start on it",
    embedded: "scripted",
    objects: [...objects, podOf(ago, "node-lost-evicted", evicted), ...daemonSet(ago, "node-lost-log", { pods: [waiting] })],
    says: {
      of: "Deployment node-lost",
      place: "issue",
      cause: ["bench-1 of pod node-lost", "is not ready"],
      next: ["kubelet of node bench-1"],
      since: ago(19),
      issues: 2,
    },
  };
};
