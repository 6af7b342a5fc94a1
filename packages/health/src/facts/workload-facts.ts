import { listAt, numberAt, textAt, type Fields } from "@binnacle/kube";

import { conditionsOf } from "../condition.ts";
import { containersOf } from "../container-state.ts";
import { refOf } from "../health-ref.ts";
import { isKind } from "../relatives.ts";
import { ruleInputOf } from "../rule-input.ts";
import { completeCondition, failedCondition } from "../rules/job.ts";
import { podHealth } from "../rules/pod.ts";
import type { RuleInput } from "../verdict.ts";

/** "1/2 ready · ImagePullBackOff", "1/1 ready · 5 restarts", "Succeeded". */
export function podFact(input: RuleInput): string {
  const phase = textAt(input.status, "phase");
  const verdict = podHealth(input);
  if (phase === "Succeeded") return phase;
  const main = containersOf(input.status).filter((container) => !container.init);
  const total = Math.max(main.length, listAt(input.spec, "containers").length);
  const ready = main.filter((container) => container.ready).length;
  const restarts = main.reduce((sum, container) => sum + container.restarts, 0);
  const count = phase === "Failed" || total === 0 ? "" : `${ready}/${total} ready`;
  const why = verdict.status === "Healthy" ? (restarts > 0 ? plural(restarts, "restart") : "") : verdict.reason;
  return joined(count, why);
}

/** "2/3 ready", with the reason of the first failing pod when the pods are known. */
export function workloadFact(input: RuleInput): string {
  const isDaemonSet = input.kind === "DaemonSet";
  const ready = numberAt(input.status, isDaemonSet ? "numberReady" : "readyReplicas") ?? 0;
  const wanted = isDaemonSet ? (numberAt(input.status, "desiredNumberScheduled") ?? 0) : (numberAt(input.spec, "replicas") ?? 1);
  if (input.spec["paused"] === true) return joined(`${ready}/${wanted} ready`, "paused");
  return joined(`${ready}/${wanted} ready`, ready < wanted ? failingReason(input.related ?? []) : "");
}

/** "3/10 done", "3/10 done · 2 active", "failed · BackoffLimitExceeded". */
export function jobFact(input: RuleInput): string {
  const conditions = conditionsOf(input.status);
  const failed = failedCondition(conditions);
  if (failed !== undefined) return joined("failed", failed.reason);
  if (input.spec["suspend"] === true) return "suspended";
  const done = `${numberAt(input.status, "succeeded") ?? 0}/${numberAt(input.spec, "completions") ?? 1} done`;
  const active = numberAt(input.status, "active") ?? 0;
  return completeCondition(conditions) === undefined && active > 0 ? joined(done, `${active} active`) : done;
}

/** "0 * * * *", "0 * * * * · suspended", "0 * * * * · 1 active". */
export function cronJobFact(input: RuleInput): string {
  const active = listAt(input.status, "active").length;
  return joined(textAt(input.spec, "schedule"), input.spec["suspend"] === true ? "suspended" : active > 0 ? `${active} active` : "");
}

/** "3 replicas · 1–5". */
export function autoscalerFact(input: RuleInput): string {
  const current = numberAt(input.status, "currentReplicas");
  const range = `${numberAt(input.spec, "minReplicas") ?? 1}–${numberAt(input.spec, "maxReplicas") ?? "?"}`;
  return joined(current === undefined ? "" : plural(current, "replica"), range);
}

/** "2/1 healthy · 1 may go". */
export function budgetFact(input: RuleInput): string {
  const current = numberAt(input.status, "currentHealthy");
  if (current === undefined) return "";
  return joined(
    `${current}/${numberAt(input.status, "desiredHealthy") ?? 0} healthy`,
    `${numberAt(input.status, "disruptionsAllowed") ?? 0} may go`,
  );
}

function failingReason(related: readonly Fields[]): string {
  let first: { name: string; reason: string } | undefined;
  for (const object of related) {
    if (!isKind(object, "", "Pod")) continue;
    const { name } = refOf(object);
    if (first !== undefined && first.name <= name) continue;
    const verdict = podHealth(ruleInputOf(object, { now: undefined, related: undefined }));
    if (verdict.status === "Degraded") first = { name, reason: verdict.reason };
  }
  return first?.reason ?? "";
}

function joined(left: string, right: string): string {
  return left === "" || right === "" ? left + right : `${left} · ${right}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
