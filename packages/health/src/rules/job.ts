import { fieldsAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionsOf, trueCondition, type Condition } from "../condition.ts";
import { isFailingReason } from "../container-words.ts";
import { refOf } from "../health-ref.ts";
import type { HealthCause } from "../health-result.ts";
import { quotedOr } from "../quoted-or.ts";
import { ownedOf } from "../relatives.ts";
import { ruleInputOf } from "../rule-input.ts";
import { degraded, healthy, progressing, suspended, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";
import { podHealth } from "./pod.ts";

/** The rule for Jobs. */
export const rule: KindRule = { kinds: ["batch/Job"], generation: "before", judge: jobHealth };

/** Causes that are named for one Job; the rest is counted. */
const MAX_NAMED = 5;

/** Reasons of a pod that has no node, or one that does not work. */
const WITHOUT_NODE = new Set(["Unschedulable", "SchedulerError", "NodeLost", "NotTaken"]);

/** Job: only conditions that are True count, and indexes that have failed for good; Suspended=False stays on a resumed Job for ever. A pod that cannot start speaks for it. */
export function jobHealth(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const failed = failedCondition(conditions);
  if (failed !== undefined) {
    const message = quotedOr(failed.message, "job/has-failed", { reason: failed.reason });
    return degraded(failed.reason || "Failed", message, changedAt(failed, input));
  }
  const complete = trueCondition(conditions, "Complete");
  if (complete !== undefined) return healthy("Complete", quotedOr(complete.message, "job/complete"), changedAt(complete, input));
  const active = numberAt(input.status, "active") ?? 0;
  const criteria = trueCondition(conditions, "SuccessCriteriaMet");
  if (criteria !== undefined) {
    const ending = Math.max(active, numberAt(input.status, "terminating") ?? 0);
    const message = words("job/criteria-met", { ending: ending === 0 ? undefined : ending });
    return healthy("SuccessCriteriaMet", message, changedAt(criteria, input));
  }
  const stopped = trueCondition(conditions, "Suspended");
  if (stopped !== undefined && input.spec["suspend"] === true) {
    return suspended("Suspended", quotedOr(stopped.message, "job/suspended"), changedAt(stopped, input));
  }
  const succeeded = numberAt(input.status, "succeeded") ?? 0;
  const failures = numberAt(input.status, "failed") ?? 0;
  const counts = {
    active,
    succeeded,
    wanted: numberAt(input.spec, "completions") ?? 1,
    failed: failures === 0 ? undefined : failures,
  };
  const indexes = textAt(input.status, "failedIndexes");
  // With a success policy the Job may succeed without them.
  if (indexes !== "" && Object.keys(fieldsAt(input.spec, "successPolicy")).length === 0) {
    return degraded("FailedIndexes", words("job/failed-indexes", { ...counts, indexes: quoted(indexes) }));
  }
  const message = active === 0 && succeeded === 0 && failures === 0 ? words("job/not-started") : words("job/counts", counts);
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

/**
 * What the pods make of something that runs to its end and has not ended: it stays on its way, for a failed pod is tried again, but where
 * a pod cannot even start it says so in that pod's words, since that pod has stood still. Of several the one decides that has done so for
 * longest, then the first by name.
 */
function throughStuckPods(own: Verdict, pods: readonly Fields[], input: RuleInput): Verdict {
  const stuck = pods.flatMap((pod) => stuckPod(pod, input) ?? []).sort(byAge);
  const [first] = stuck;
  if (first === undefined) return own;
  const more = stuck.length === 1 ? undefined : stuck.length - 1;
  const verdict = progressing(first.reason, words("health/pods", { pod: first.ref.name, said: first.message, more }), first.since);
  return { ...verdict, causes: stuck.slice(0, MAX_NAMED), moreCauses: Math.max(0, stuck.length - MAX_NAMED) };
}

function stuckPod(pod: Fields, input: RuleInput): HealthCause | null {
  if (textAt(fieldsAt(pod, "metadata"), "deletionTimestamp") !== "" || textAt(fieldsAt(pod, "status"), "phase") === "Failed") return null;
  const { status, reason, message, since = "" } = podHealth(ruleInputOf(pod, { now: input.now, related: undefined }));
  if (!isFailingReason(reason) && !WITHOUT_NODE.has(reason)) return null;
  return { ref: refOf(pod), status, reason, message, ...(since === "" ? {} : { since }) };
}

function byAge(left: HealthCause, right: HealthCause): number {
  const [a, b] = [left.since ?? "~", right.since ?? "~"];
  if (a !== b) return a < b ? -1 : 1;
  return left.ref.name < right.ref.name ? -1 : 1;
}
