import { numberAt } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { conditionOf, conditionsOf } from "../condition.ts";
import { degraded, healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** PodDisruptionBudget: violated for some minutes is a fault; allowing no disruption right now is not, nor is a budget of no pods. */
export const rule: KindRule = { kinds: ["policy/PodDisruptionBudget"], generation: "before", judge: podDisruptionBudgetHealth };

/** Before its first pods are ready, and while pods are replaced, no budget is met. */
const GRACE_MS = 5 * MINUTE_MS;

function podDisruptionBudgetHealth(input: RuleInput): Verdict {
  const current = numberAt(input.status, "currentHealthy") ?? 0;
  const desired = numberAt(input.status, "desiredHealthy") ?? 0;
  if (numberAt(input.status, "expectedPods") === 0) return healthy("NoPods", words("pod-disruption-budget/no-pods"));
  const message = words("pod-disruption-budget/pods", { count: current, wanted: desired });
  if (current >= desired) return healthy("SufficientPods", message);
  const allowed = conditionOf(conditionsOf(input.status), "DisruptionAllowed");
  const since = changedAt(allowed, input);
  const fresh = isOlderThan(since, GRACE_MS, input.now) === false;
  return fresh ? progressing("InsufficientPods", message, since) : degraded("InsufficientPods", message, since);
}
