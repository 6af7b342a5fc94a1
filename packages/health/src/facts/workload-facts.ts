import { listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { conditionsOf } from "../condition.ts";
import { containersOf } from "../container-state.ts";
import { refOf } from "../health-ref.ts";
import { isKind } from "../relatives.ts";
import { ruleInputOf } from "../rule-input.ts";
import { completeCondition, failedCondition } from "../rules/job.ts";
import { podHealth } from "../rules/pod.ts";
import type { RuleInput } from "../verdict.ts";
import { named } from "./named.ts";

/** "1/2 ready · ImagePullBackOff", "1/1 ready · 5 restarts", "Succeeded". */
export function podFact(input: RuleInput): Words | undefined {
  const phase = textAt(input.status, "phase");
  const verdict = podHealth(input);
  if (phase === "Succeeded") return named(phase);
  const main = containersOf(input).filter((container) => !container.init);
  const total = Math.max(main.length, listAt(input.spec, "containers").length);
  const ready = main.filter((container) => container.ready).length;
  const restarts = main.reduce((sum, container) => sum + container.restarts, 0);
  const isWell = verdict.status === "Healthy";
  const restarted = restarts > 0 ? words("fact/restarts", { count: restarts }) : undefined;
  if (phase === "Failed" || total === 0) return isWell ? restarted : named(verdict.reason);
  return words("fact/ready", { count: `${ready}/${total}`, why: isWell ? restarted : verdict.reason });
}

/** "2/3 ready", with the reason of the first failing pod when the pods are known. */
export function workloadFact(input: RuleInput): Words {
  const isDaemonSet = input.kind === "DaemonSet";
  const ready = numberAt(input.status, isDaemonSet ? "numberReady" : "readyReplicas") ?? 0;
  const wanted = isDaemonSet ? (numberAt(input.status, "desiredNumberScheduled") ?? 0) : (numberAt(input.spec, "replicas") ?? 1);
  const why = input.spec["paused"] === true ? words("fact/paused") : ready < wanted ? failingReason(input.related ?? []) : undefined;
  return words("fact/ready", { count: `${ready}/${wanted}`, why });
}

/** "3/10 done", "3/10 done · 2 active", "failed · BackoffLimitExceeded". */
export function jobFact(input: RuleInput): Words {
  const conditions = conditionsOf(input.status);
  const failed = failedCondition(conditions);
  if (failed !== undefined) return words("fact/failed", { why: failed.reason });
  if (input.spec["suspend"] === true) return words("fact/suspended");
  const active = numberAt(input.status, "active") ?? 0;
  return words("fact/done", {
    count: `${numberAt(input.status, "succeeded") ?? 0}/${numberAt(input.spec, "completions") ?? 1}`,
    more: completeCondition(conditions) === undefined ? activeFact(active) : undefined,
  });
}

/** "0 * * * *", "0 * * * * · suspended", "0 * * * * · 1 active". */
export function cronJobFact(input: RuleInput): Words | undefined {
  const schedule = textAt(input.spec, "schedule");
  const more = input.spec["suspend"] === true ? words("fact/suspended") : activeFact(listAt(input.status, "active").length);
  return schedule === "" ? more : words("fact/schedule", { schedule, more });
}

/** "3 replicas · 1–5". */
export function autoscalerFact(input: RuleInput): Words | undefined {
  const current = numberAt(input.status, "currentReplicas");
  const range = `${numberAt(input.spec, "minReplicas") ?? 1}–${numberAt(input.spec, "maxReplicas") ?? "?"}`;
  return current === undefined ? named(range) : words("fact/replicas", { count: current, range });
}

/** "2/1 healthy · 1 may go". */
export function budgetFact(input: RuleInput): Words | undefined {
  const current = numberAt(input.status, "currentHealthy");
  if (current === undefined) return undefined;
  return words("fact/budget", {
    count: `${current}/${numberAt(input.status, "desiredHealthy") ?? 0}`,
    free: numberAt(input.status, "disruptionsAllowed") ?? 0,
  });
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

function activeFact(count: number): Words | undefined {
  return count > 0 ? words("fact/active", { count }) : undefined;
}
