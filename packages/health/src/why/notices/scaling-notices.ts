import { numberAt } from "@binnacle/kube";

import { conditionsOf, falseCondition, trueCondition } from "../../condition.ts";
import type { Subject } from "../root.ts";
import { say, type Said } from "../say.ts";

/** A budget that its controller cannot work out, or that allows no disruption now. */
export function budgetNotices({ input, ref, status }: Subject): Said[] {
  const failed = falseCondition(conditionsOf(input.status), "DisruptionAllowed");
  const since = failed?.changedAt ?? "";
  if (failed?.reason === "SyncFailed")
    return [{ ...say("autoscaling", "budget-sync-failed", { name: ref.name, said: failed.message }), since }];
  const blocks = numberAt(input.status, "disruptionsAllowed") === 0 && (numberAt(input.status, "expectedPods") ?? 0) > 0;
  return blocks && status === "Healthy" ? [{ ...say("autoscaling", "no-disruption", { name: ref.name }), since }] : [];
}

/** An autoscaler that wants more than it may. */
export function maximumNotices({ input, ref }: Subject): Said[] {
  const limited = trueCondition(conditionsOf(input.status), "ScalingLimited");
  if (limited?.reason !== "TooManyReplicas") return [];
  const said = say("autoscaling", "at-maximum", { name: ref.name, max: numberAt(input.spec, "maxReplicas") });
  return [{ ...said, since: limited.changedAt }];
}
