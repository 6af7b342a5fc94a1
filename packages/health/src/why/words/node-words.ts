import type { WordTable } from "./words.ts";

/** Nodes. Facts: name, said, reason, pod. */
export const NODE_WORDS = {
  "not-ready": {
    reason: "NodeNotReady",
    message: "Node {name} is not ready[: {said}]",
    nextStep: "Check the machine and the kubelet of node {name}; drain it if it does not come back.",
  },
  pressure: {
    message: "Node {name} runs short ({reason})[: {said}]",
    nextStep: "Free what node {name} lacks, or move pods away from it.",
  },
  cordoned: {
    reason: "Cordoned",
    message: "Node {name} is cordoned and takes no new pods",
    nextStep: "Uncordon node {name} (kubectl uncordon {name}) when its maintenance is over.",
  },
  lost: {
    reason: "NodeLost",
    message: "The node[ {name}] of pod {pod} does not report[: {said}]",
    nextStep: "Check the machine and the kubelet[ of node {name}].",
  },
} as const satisfies WordTable;
