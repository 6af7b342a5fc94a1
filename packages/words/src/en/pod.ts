import type { Catalogue } from "../catalogue.ts";

/** Health of pods, as far as it is not about one container. Facts: reason, said. */
export const POD = {
  "pod/succeeded": "All containers ended well",
  "pod/failed": "The pod has failed",
  "pod/failed-saying": "{has_reason, select, no {} other {{reason}: }}{said}",
  "pod/not-reported": "The node does not report on this pod",
  "pod/unschedulable": "No node takes the pod: {said}",
  "pod/unschedulable/silent": "the scheduler gives no reason",
  "pod/gated": "Scheduling is blocked by a scheduling gate",
  "pod/gated-by": "Scheduling waits for {count, plural, one {the gate} other {the gates}} {gates}",
  "pod/not-started": "The pod has not started yet",
  "pod/ready": "The pod is ready",
  "pod/not-taken": "The kubelet of node {node} has not taken the pod",
  "pod/node-not-ready": "The pod is not ready because node {node} is not ready",
  "pod/not-ready": "The pod is not ready: {said}",
  "pod/not-ready-yet": "The pod runs and is not ready yet",
  "pod/runs-to-end": "The pod runs until its containers end",
} as const satisfies Catalogue;
