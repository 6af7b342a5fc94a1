import { numberAt } from "@binnacle/kube";

import { changedAt } from "../age.ts";
import { conditionOf, conditionsOf } from "../condition.ts";
import { degraded, healthy, type RuleInput, type Verdict } from "../verdict.ts";

/** PodDisruptionBudget: violated is a fault; allowing no disruption right now is not. */
export function podDisruptionBudgetHealth(input: RuleInput): Verdict {
  const current = numberAt(input.status, "currentHealthy") ?? 0;
  const desired = numberAt(input.status, "desiredHealthy") ?? 0;
  if (current >= desired) return healthy("SufficientPods", `${current} healthy pods, ${desired} are wanted`);
  const allowed = conditionOf(conditionsOf(input.status), "DisruptionAllowed");
  return degraded("InsufficientPods", `${current} healthy pods, ${desired} are wanted`, changedAt(allowed, input));
}
