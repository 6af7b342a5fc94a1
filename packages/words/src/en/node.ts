import type { Catalogue } from "../catalogue.ts";

/** Nodes. Facts: name, said, reason, pod. */
export const NODE = {
  "node/not-ready": "Node {name} is not ready{has_said, select, no {} other {: {said}}}",
  "node/not-ready/next": "Check the machine and the kubelet of node {name}; drain it if it does not come back.",
  "node/pressure": "Node {name} runs short ({reason}){has_said, select, no {} other {: {said}}}",
  "node/pressure/next": "Free what node {name} lacks, or move pods away from it.",
  "node/cordoned": "Node {name} is cordoned and takes no new pods",
  "node/cordoned/next": "Uncordon node {name} (kubectl uncordon {name}) when its maintenance is over.",
  "node/lost": "The node{has_name, select, no {} other { {name}}} of pod {pod} is not ready{has_said, select, no {} other {: {said}}}",
  "node/lost/next":
    "Check the machine and the kubelet{has_name, select, no {} other { of node {name}}}. This is known from pods alone: the conditions of the node need the right to list and watch nodes.",
} as const satisfies Catalogue;
