import { numberAt, textAt } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionsOf, trueCondition, type Condition } from "../condition.ts";
import { quotedOr } from "../quoted-or.ts";
import { ownedOf } from "../relatives.ts";
import { throughStuckPods } from "../stuck-pods.ts";
import { degraded, healthy, progressing, suspended, type RuleInput, type Verdict } from "../verdict.ts";

/** Job: only conditions that are True count; Suspended=False stays on a resumed Job for ever. A pod that cannot start speaks for it. */
export function jobHealth(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const failed = failedCondition(conditions);
  if (failed !== undefined) {
    const message = quotedOr(failed.message, "job/has-failed", { reason: failed.reason });
    return degraded(failed.reason || "Failed", message, changedAt(failed, input));
  }
  const complete = completeCondition(conditions);
  if (complete !== undefined) return healthy("Complete", quotedOr(complete.message, "job/complete"), changedAt(complete, input));
  const stopped = trueCondition(conditions, "Suspended");
  if (stopped !== undefined && input.spec["suspend"] === true) {
    return suspended("Suspended", quotedOr(stopped.message, "job/suspended"), changedAt(stopped, input));
  }
  const active = numberAt(input.status, "active") ?? 0;
  const succeeded = numberAt(input.status, "succeeded") ?? 0;
  const wanted = numberAt(input.spec, "completions") ?? 1;
  const message = active === 0 && succeeded === 0 ? words("job/not-started") : words("job/counts", { active, succeeded, wanted });
  const since = textAt(input.status, "startTime") || changedAt(undefined, input);
  return throughStuckPods(progressing(active === 0 ? "NotStarted" : "Running", message, since), ownedOf(input, "", "Pod"), input);
}

/** The condition that says the Job has failed, or is about to while its pods still end. */
export function failedCondition(conditions: readonly Condition[]): Condition | undefined {
  return trueCondition(conditions, "Failed") ?? trueCondition(conditions, "FailureTarget");
}

/** The condition that says the Job is complete, or is about to while its pods still end. */
export function completeCondition(conditions: readonly Condition[]): Condition | undefined {
  return trueCondition(conditions, "Complete") ?? trueCondition(conditions, "SuccessCriteriaMet");
}
