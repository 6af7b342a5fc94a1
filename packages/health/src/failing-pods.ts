import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import { words } from "@binnacle/words";

import { changedAt, timeOf } from "./age.ts";
import { readyLostWithNode } from "./lost-node.ts";
import { isSinceAssumed } from "./assumed-since.ts";
import { refOf } from "./health-ref.ts";
import type { HealthCause } from "./health-result.ts";
import { ruleInputOf } from "./rule-input.ts";
import { podHealth } from "./rules/pod.ts";
import { degraded, type RuleInput, type Verdict } from "./verdict.ts";

/** Causes that are named for one workload; the rest is counted. */
const MAX_NAMED = 5;

/**
 * What the pods make of a workload that is not well by its own counts. A Degraded pod speaks for the workload: it is Degraded
 * in that pod's words. Otherwise the workload keeps its verdict and, where it does not know since when, takes it from the pod
 * that has been on its way longest. Pods that are being deleted are on their way out and do not count, unless their node is not ready, so
 * that nothing there ends them. Pods are taken by name, so that the answer does not depend on their order.
 */
export function throughPods(own: Verdict, pods: readonly Fields[], input: RuleInput): Verdict {
  const failing: HealthCause[] = [];
  let earliest = "";
  for (const pod of pods) {
    if (isLeaving(pod)) continue;
    const { status, reason, message, since } = podHealth(ruleInputOf(pod, { now: input.now, related: undefined }));
    const known = isSinceAssumed({ status, reason, since: since ?? "" }, pod) ? "" : (since ?? "");
    if (status === "Degraded") failing.push({ ref: refOf(pod), status, reason, message, ...(known === "" ? {} : { since: known }) });
    else if (status === "Progressing" && known !== "" && (earliest === "" || known < earliest)) earliest = known;
  }
  failing.sort((left, right) => (left.ref.name < right.ref.name ? -1 : 1));
  const first = failing[0];
  if (first === undefined) return own.since !== undefined && own.since !== "" ? own : { ...own, since: sinceOf(earliest, input) };
  const more = failing.length === 1 ? undefined : failing.length - 1;
  const verdict = degraded(
    first.reason,
    words("health/pods", { pod: first.ref.name, said: first.message, more }),
    sinceOfReason(first.reason, failing),
  );
  return { ...verdict, causes: failing.slice(0, MAX_NAMED), moreCauses: Math.max(0, failing.length - MAX_NAMED) };
}

/** Whether a pod is being deleted and will be gone soon. */
export function isLeaving(pod: Fields): boolean {
  return textAt(fieldsAt(pod, "metadata"), "deletionTimestamp") !== "" && readyLostWithNode(pod) === undefined;
}

/** Since the first of the pods was so, for the same reason. */
function sinceOfReason(reason: string, failing: readonly HealthCause[]): string | undefined {
  const times = failing.flatMap((cause) =>
    cause.reason === reason && cause.since !== undefined && !Number.isNaN(timeOf(cause.since)) ? [cause.since] : [],
  );
  return times.toSorted((left, right) => timeOf(left) - timeOf(right))[0];
}

/** The pods say it; when they are not known, the workload is as old as its problem at most. */
function sinceOf(earliest: string, input: RuleInput): string {
  return earliest === "" && input.related === undefined ? changedAt(undefined, input) : earliest;
}
