import type { WordTable } from "./words.ts";

/** A pod or container that does not get to run. Facts: container, pod, node, said, reason, log. */
export const START_WORDS = {
  "runs-as-root": {
    message: "{container} may not run: its image runs as root and runAsNonRoot forbids that",
    nextStep: "Set runAsUser of {container} to a user other than 0, or use an image that does not run as root.",
  },
  config: {
    message: "{container} cannot be configured[: {said}]",
    nextStep: "Correct what {container} takes from ConfigMaps, Secrets and its security context.",
  },
  "command-missing": {
    message: "{container} cannot be started: its command is not in the image[: {said}]",
    nextStep: "Correct command and args of {container}, or use an image that holds the program.",
  },
  create: {
    message: "{container} cannot be created or started[: {said}]",
    nextStep: "Correct the spec of {container} (command, mounts, security context); the message says which part.",
  },
  hook: {
    message: "{container} failed in a lifecycle hook[: {said}]",
    nextStep: "Correct the lifecycle hook of {container}, or remove it.",
  },
  waiting: {
    message: "{container} does not start[: {said}]",
    nextStep: "Read the events of pod {pod}.",
  },
  "init-running": {
    reason: "PodInitializing",
    message: "{container} still runs, and the other containers wait for it",
    nextStep: "Read its log ({log}) to see what it waits for.",
  },
  sandbox: {
    message: "The node[ {node}] cannot set up the pod's network or sandbox[: {said}]",
    nextStep: "Check the network plugin and the container runtime[ of node {node}].",
  },
  starting: {
    message: "Pod {pod} is starting",
    nextStep: "Wait; if it stays so, read the events of pod {pod}.",
  },
  "not-ready": {
    message: "Pod {pod} runs and is not ready[: {said}]",
    nextStep: "Read the log of pod {pod}, and compare it with its readiness probe.",
  },
  "readiness-gate": {
    message: "Pod {pod} runs and a readiness gate holds it back[: {said}]",
    nextStep: "Check the controller that sets the conditions named in spec.readinessGates of pod {pod}.",
  },
  "runs-to-end": {
    message: "Pod {pod} runs until its containers end",
    nextStep: "Wait for it to end; if it takes too long, read its log.",
  },
  rejected: {
    message: "Node[ {node}] did not take pod {pod}[: {said}]",
    nextStep: "Delete the pod so that it is scheduled anew, and check what the node has free.",
  },
  failed: {
    message: "Pod {pod} has failed[: {said}]",
    nextStep: "Read the log and the events of pod {pod}, then delete it.",
  },
} as const satisfies WordTable;
