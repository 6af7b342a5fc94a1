import type { WordTable } from "./words.ts";

/** Objects that go, wait or are paused. Facts: kind, name, namespace, finalizers, said, node, since. */
export const LIFECYCLE_WORDS = {
  finalizers: {
    reason: "Terminating",
    message: "{kind} {name} is being deleted and waits for finalizers: {finalizers}",
    nextStep: "Check that the controller behind {finalizers} runs; remove the finalizer by hand only when it never will.",
  },
  terminating: {
    reason: "Terminating",
    message: "{kind} {name} is being deleted",
    nextStep: "Wait for it to end; if it stays, look at what it owns and, for a pod, at its node[ {node}].",
  },
  namespace: {
    reason: "Terminating",
    message: "Namespace {name} is being deleted[: {said}]",
    nextStep: "Remove what is left in namespace {name}; the conditions of the namespace name it.",
  },
  "not-observed": {
    reason: "NotObserved",
    message: "The controller of {kind} {name} has not looked at its latest change yet",
    nextStep: "Wait; if it stays so, check that the controller of {kind} runs.",
  },
  suspended: {
    message: "{kind} {name} is paused on purpose[: {said}]",
    nextStep: "Resume {kind} {name} when it should work again.",
  },
  evicted: {
    reason: "Evicted",
    message: "Pod {pod} was evicted[ from node {node}][: {said}]",
    nextStep: "Free the resource that the node lacks, set requests that match the use, then delete the evicted pod.",
  },
  preempted: {
    reason: "Preempted",
    message: "Pod {pod} had to make room for a pod of higher priority[: {said}]",
    nextStep: "Add capacity, or give pod {pod} a higher PriorityClass.",
  },
  shutdown: {
    reason: "NodeShutdown",
    message: "Pod {pod} was ended because its node[ {node}] was shut down[: {said}]",
    nextStep: "Delete the pod when its owner has made a new one, and check that node[ {node}] comes back.",
  },
} as const satisfies WordTable;
