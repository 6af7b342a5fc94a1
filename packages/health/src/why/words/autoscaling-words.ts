import type { WordTable } from "./words.ts";

/** HorizontalPodAutoscalers and disruption budgets. Facts: name, target, metric, said, max, current, desired, selector. */
export const AUTOSCALING_WORDS = {
  "no-metrics": {
    message: "HorizontalPodAutoscaler {name} gets no metrics[ for {target}][: {said}]",
    nextStep: "Check that metrics-server (or the metrics adapter) runs and that every container[ of {target}] has resource requests.",
  },
  "no-requests": {
    message: "HorizontalPodAutoscaler {name} cannot compute a ratio: a container[ of {target}] states no request[: {said}]",
    nextStep: "Set resources.requests for the scaled resource in every container[ of {target}].",
  },
  "no-target": {
    message: "HorizontalPodAutoscaler {name} cannot read or change the scale[ of {target}][: {said}]",
    nextStep: "Correct spec.scaleTargetRef of HorizontalPodAutoscaler {name}; its target must exist and have a scale.",
  },
  selector: {
    message: "HorizontalPodAutoscaler {name} cannot use the selector[ of {target}][: {said}]",
    nextStep: "Give {target} a pod selector that is valid and its own.",
  },
  waiting: {
    message: "HorizontalPodAutoscaler {name} has not computed anything yet",
    nextStep: "Wait a minute; if it stays so, check that the controller manager runs.",
  },
  "at-maximum": {
    reason: "AtMaximum",
    message: "HorizontalPodAutoscaler {name} wants more than its maximum[ of {max} replicas]",
    nextStep: "Raise maxReplicas of HorizontalPodAutoscaler {name} if the load is real.",
  },
  "budget-violated": {
    reason: "InsufficientPods",
    message: "PodDisruptionBudget {name} counts {current} healthy pods and wants {desired}",
    nextStep: "Make the pods that the budget selects healthy before you drain a node.",
  },
  "no-disruption": {
    reason: "NoDisruptionAllowed",
    message: "PodDisruptionBudget {name} allows no disruption now, so that a node drain would wait",
    nextStep: "Add a replica or relax the budget before you drain a node.",
  },
} as const satisfies WordTable;
