import type { Catalogue } from "../catalogue.ts";

/** Health of autoscalers and of disruption budgets. Facts: count, wanted, said. */
export const SCALING = {
  "horizontal-pod-autoscaler/metrics-missing": "Metrics are missing: {said}",
  "horizontal-pod-autoscaler/disabled": "Scaling is disabled",
  "horizontal-pod-autoscaler/works": "The autoscaler works",
  "horizontal-pod-autoscaler/waiting": "Waiting to autoscale",
  "pod-disruption-budget/no-pods": "The budget applies to no pods",
  "pod-disruption-budget/pods":
    "{count, plural, one {{count} healthy pod} other {{count} healthy pods}}, {wanted, plural, one {{wanted} is} other {{wanted} are}} wanted",
} as const satisfies Catalogue;
