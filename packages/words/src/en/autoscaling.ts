import type { Catalogue } from "../catalogue.ts";

/** HorizontalPodAutoscalers and disruption budgets. Facts: name, target, metric, unrequested (count, containers, resource), said, max, current, desired, selector. */
export const AUTOSCALING = {
  "autoscaling/no-metrics":
    "HorizontalPodAutoscaler {name} gets no metrics{has_target, select, no {} other { for {target}}}{has_unrequested, select, no {} other {, where {unrequested}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/no-metrics/next":
    "Check that metrics-server (or the metrics adapter) runs and that every container{has_target, select, no {} other { of {target}}} has resource requests.",
  "autoscaling/no-requests":
    "HorizontalPodAutoscaler {name} cannot compute a ratio: a container{has_target, select, no {} other { of {target}}} states no request{has_unrequested, select, no {} other {, as {unrequested}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/no-requests/next":
    "Set resources.requests for the scaled resource in every container{has_target, select, no {} other { of {target}}}.",
  "autoscaling/unrequested":
    "{count, plural, one {container} other {containers}} {containers} {count, plural, one {has} other {have}} no request for {resource}",
  "autoscaling/no-target":
    "HorizontalPodAutoscaler {name} cannot read or change the scale{has_target, select, no {} other { of {target}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/no-target/next": "Correct spec.scaleTargetRef of HorizontalPodAutoscaler {name}; its target must exist and have a scale.",
  "autoscaling/selector":
    "HorizontalPodAutoscaler {name} cannot use the selector{has_target, select, no {} other { of {target}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/selector/next": "Give {target} a pod selector that is valid and its own.",
  "autoscaling/ambiguous":
    "HorizontalPodAutoscaler {name} does not scale{has_target, select, no {} other { {target}}}, since its pods belong to several autoscalers{has_others, select, no {} other {, also to {others}}}{has_said, select, no {} other {: {said}}}",
  "autoscaling/ambiguous/next":
    "Let one autoscaler scale these pods: delete HorizontalPodAutoscaler {name}{has_others, select, no {} other { or {others}}}, or give its target pods of its own.",
  "autoscaling/not-scaling": "HorizontalPodAutoscaler {name} does not scale{has_said, select, no {} other {: {said}}}",
  "autoscaling/not-scaling/next": "Correct spec.metrics of HorizontalPodAutoscaler {name}, or what its condition ScalingActive names.",
  "autoscaling/waiting": "HorizontalPodAutoscaler {name} has not computed anything yet",
  "autoscaling/waiting/next": "Wait a minute; if it stays so, check that the controller manager runs.",
  "autoscaling/silent": "HorizontalPodAutoscaler {name} has not computed anything for too long",
  "autoscaling/silent/next": "Check that the controller manager runs, and read its log.",
  "autoscaling/at-maximum": "HorizontalPodAutoscaler {name} wants more than its maximum{has_max, select, no {} other { of {max} replicas}}",
  "autoscaling/at-maximum/next": "Raise maxReplicas of HorizontalPodAutoscaler {name} if the load is real.",
  "autoscaling/budget-violated":
    "PodDisruptionBudget {name} counts {current, plural, one {{current} healthy pod} other {{current} healthy pods}} and wants {desired}",
  "autoscaling/budget-violated/next": "Make the pods that the budget selects healthy before you drain a node.",
  "autoscaling/several-budgets":
    "Pods of PodDisruptionBudget {name} belong to several budgets{has_others, select, no {} other {, also to {others}}}, which Kubernetes does not support{has_said, select, no {} other {: {said}}}",
  "autoscaling/several-budgets/next":
    "Give each pod one budget: delete PodDisruptionBudget {name}{has_others, select, no {} other { or {others}}}, or narrow its selector; until then no drain may evict them.",
  "autoscaling/no-disruption": "PodDisruptionBudget {name} allows no disruption now, so that a node drain would wait",
  "autoscaling/no-disruption/next": "Add a replica or relax the budget before you drain a node.",
  "autoscaling/budget-sync-failed":
    "PodDisruptionBudget {name} allows no disruption, because its controller cannot work it out{has_said, select, no {} other {: {said}}}",
  "autoscaling/budget-sync-failed/next": "Let PodDisruptionBudget {name} select only pods whose controllers have a scale.",
} as const satisfies Catalogue;
