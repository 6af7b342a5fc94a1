import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import { words } from "@binnacle/words";

import { isFailingReason } from "./container-words.ts";
import { refOf } from "./health-ref.ts";
import type { HealthCause } from "./health-result.ts";
import { ruleInputOf } from "./rule-input.ts";
import { podHealth } from "./rules/pod.ts";
import { progressing, type RuleInput, type Verdict } from "./verdict.ts";

/** Causes that are named for one Job; the rest is counted. */
const MAX_NAMED = 5;

/** Reasons of a pod that has no node, or one that does not work. */
const WITHOUT_NODE = new Set(["Unschedulable", "SchedulerError", "NodeLost", "NotTaken"]);

/**
 * What the pods make of something that runs to its end and has not ended: it stays on its way, for a failed pod is tried again, but where
 * a pod cannot even start it says so in that pod's words, since that pod has stood still. Of several the one decides that has done so for
 * longest, then the first by name.
 */
export function throughStuckPods(own: Verdict, pods: readonly Fields[], input: RuleInput): Verdict {
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
