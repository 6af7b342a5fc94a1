import { numberAt } from "@binnacle/kube";

import { conditionsOf, falseCondition, trueCondition } from "../../condition.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** A budget that its controller cannot work out, or that allows no disruption now. */
export function budgetNotices({ input, ref, status }: Subject): Explanation[] {
  const failed = falseCondition(conditionsOf(input.status), "DisruptionAllowed");
  const since = failed?.changedAt ?? "";
  if (failed?.reason === "SyncFailed")
    return [{ ...explanationOf("autoscaling", "budget-sync-failed", { name: ref.name, said: failed.message }), since }];
  const blocks = numberAt(input.status, "disruptionsAllowed") === 0 && (numberAt(input.status, "expectedPods") ?? 0) > 0;
  return blocks && status === "Healthy" ? [{ ...explanationOf("autoscaling", "no-disruption", { name: ref.name }), since }] : [];
}

/** An autoscaler that wants more than it may. */
export function maximumNotices({ input, ref }: Subject): Explanation[] {
  const limited = trueCondition(conditionsOf(input.status), "ScalingLimited");
  if (limited?.reason !== "TooManyReplicas") return [];
  const explanation = explanationOf("autoscaling", "at-maximum", { name: ref.name, max: numberAt(input.spec, "maxReplicas") });
  return [{ ...explanation, since: limited.changedAt }];
}
