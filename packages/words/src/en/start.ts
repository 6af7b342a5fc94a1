import type { Catalogue } from "../catalogue.ts";

/** A pod or container that does not get to run. Facts: container, pod, node, said, reason, log. */
export const START = {
  "start/runs-as-root": "{Container} may not run: its image runs as root and runAsNonRoot forbids that",
  "start/runs-as-root/next": "Set runAsUser of {container} to a user other than 0, or use an image that does not run as root.",
  "start/config": "{Container} cannot be configured{has_said, select, no {} other {: {said}}}",
  "start/config/next": "Correct what {container} takes from ConfigMaps, Secrets and its security context.",
  "start/command-missing": "{Container} cannot be started: its command is not in the image{has_said, select, no {} other {: {said}}}",
  "start/command-missing/next": "Correct command and args of {container}, or use an image that holds the program.",
  "start/create": "{Container} cannot be created or started{has_said, select, no {} other {: {said}}}",
  "start/create/next": "Correct the spec of {container} (command, mounts, security context); the message says which part.",
  "start/hook": "{Container} failed in a lifecycle hook{has_said, select, no {} other {: {said}}}",
  "start/hook/next": "Correct the lifecycle hook of {container}, or remove it.",
  "start/waiting": "{Container} does not start{has_said, select, no {} other {: {said}}}",
  "start/waiting/next": "Read the events of pod {pod}.",
  "start/init-running": "{Container} still runs, and the other containers wait for it",
  "start/init-running/next": "Read its log ({log}) to see what it waits for.",
  "start/sidecar-starting": "{Container} has not started yet, and the containers after it wait for it",
  "start/sidecar-starting/next": "Read its log ({log}), and compare it with its startup probe if it has one.",
  "start/sandbox":
    "The node{has_node, select, no {} other { {node}}} cannot set up the pod's network or sandbox{has_said, select, no {} other {: {said}}}",
  "start/sandbox/next": "Check the network plugin and the container runtime{has_node, select, no {} other { of node {node}}}.",
  "start/starting": "Pod {pod} is starting",
  "start/starting/next": "Wait; if it stays so, read the events of pod {pod}.",
  "start/not-taken": "The kubelet of node {node} has not taken pod {pod}, which was scheduled more than a minute ago",
  "start/not-taken/next":
    "Check the machine and the kubelet of node {node}. Whether the node is ready is not known here: that needs the right to list and watch nodes.",
  "start/stuck": "Pod {pod} has not started",
  "start/stuck/next": "Read the events of pod {pod}, and the log of the kubelet on its node when they say nothing.",
  "start/not-ready": "Pod {pod} runs and is not ready{has_said, select, no {} other {: {said}}}",
  "start/not-ready/next": "Read the log of pod {pod}, and compare it with its readiness probe.",
  "start/not-ready-without-probe":
    "Pod {pod} runs and is not ready, and {container} has no readiness probe that could tell why{has_said, select, no {} other {: {said}}}",
  "start/not-ready-without-probe/next":
    "Read its log ({log}) and check that the kubelet{has_node, select, no {} other { of node {node}}} works, which alone decides without a probe; then add a readiness probe.",
  "start/readiness-gate": "Pod {pod} runs, and a readiness gate keeps it from being ready{has_said, select, no {} other {: {said}}}",
  "start/readiness-gate/next": "Check the controller that sets the conditions named in spec.readinessGates of pod {pod}.",
  "start/runs-to-end": "Pod {pod} runs until its containers end",
  "start/runs-to-end/next": "Wait for it to end; if it takes too long, read its log.",
  "start/rejected": "Node{has_node, select, no {} other { {node}}} did not take pod {pod}{has_said, select, no {} other {: {said}}}",
  "start/rejected/next": "Delete the pod so that it is scheduled anew, and check what the node has free.",
  "start/failed": "Pod {pod} has failed{has_said, select, no {} other {: {said}}}",
  "start/failed/next": "Read the log and the events of pod {pod}, then delete it.",
} as const satisfies Catalogue;
