import type { WordTable } from "./words.ts";

/** Pods that no node takes. Facts: pod, requests, arithmetic, said, claims. */
export const SCHEDULING_WORDS = {
  resources: {
    reason: "Unschedulable",
    message: "No node has room for pod {pod}[, which asks for {requests}][: {arithmetic}]",
    nextStep: "Add nodes or free capacity, or lower the requests of pod {pod}[ ({requests})].",
  },
  taint: {
    reason: "Unschedulable",
    message: "Taints keep pod {pod} off the nodes[: {arithmetic}]",
    nextStep: "Give the pod a toleration for the taint, remove the taint, or add nodes without it.",
  },
  affinity: {
    reason: "Unschedulable",
    message: "No node matches what pod {pod} demands of nodes and neighbours[: {arithmetic}]",
    nextStep: "Correct nodeSelector, affinity or topologySpreadConstraints of the pod, or label a node to match.",
  },
  cordoned: {
    reason: "Unschedulable",
    message: "The nodes that pod {pod} could use are cordoned or not ready[: {arithmetic}]",
    nextStep: "Uncordon a node (kubectl uncordon) or bring the nodes back.",
  },
  ports: {
    reason: "Unschedulable",
    message: "The host ports of pod {pod} are taken on every node[: {arithmetic}]",
    nextStep: "Remove hostPort from the pod, or run fewer replicas than nodes.",
  },
  "volume-affinity": {
    reason: "Unschedulable",
    message: "No node that could run pod {pod} reaches its volume[: {arithmetic}]",
    nextStep: "Add capacity in the zone of the volume, or delete the claim so that the volume is made anew elsewhere.",
  },
  "unbound-claim": {
    reason: "UnboundPersistentVolumeClaim",
    message: "Pod {pod} waits for a volume: {claims} is not bound",
    nextStep: "Make the claim bind: check its storage class, its size and its provisioner.",
  },
  "no-nodes": {
    reason: "Unschedulable",
    message: "There is no node that could run pod {pod}",
    nextStep: "Add a node to the cluster.",
  },
  gated: {
    reason: "SchedulingGated",
    message: "Scheduling gates hold pod {pod} back[: {said}]",
    nextStep: "Check the controller that removes spec.schedulingGates of the pod.",
  },
  other: {
    reason: "Unschedulable",
    message: "No node takes pod {pod}[: {arithmetic}]",
    nextStep: "Compare what the pod demands with what the nodes offer.",
  },
} as const satisfies WordTable;
