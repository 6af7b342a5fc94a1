import { numberAt, textAt, fieldsAt, type Fields } from "@binnacle/kube";
import { textsOf, type Words } from "@binnacle/words";

import { conditionsOf } from "../../condition.ts";
import { refOf } from "../../health-ref.ts";
import { ownedOf } from "../../relatives.ts";
import { failedCondition } from "../../rules/job.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { shownTime } from "../../shown-time.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import type { Row } from "../rows.ts";
import type { World } from "../world.ts";
import { creationRoot } from "./creation-root.ts";
import { missingOfPodSpec, missingRoot } from "./reference-root.ts";
import { healthOf, worstOfObjects } from "./worst-of.ts";

const FAILED_ROWS: ReadonlyMap<string, Row<"job">> = new Map<string, Row<"job">>(
  Object.entries({
    BackoffLimitExceeded: "backoff",
    DeadlineExceeded: "deadline",
    PodFailurePolicy: "policy",
  }),
);

/** Why a Job has failed or does not end: its failing pod, else its own condition. */
export function jobRoot(subject: Subject, world: World): Root {
  const pods = ownedOf(subject.input, "", "Pod");
  const failed = failedCondition(conditionsOf(subject.input.status));
  const explanation = explainJob(subject, failed?.reason);
  // Its message names container, exit code and rule; a pod alone does not say why it was not tried again.
  if (failed?.reason === "PodFailurePolicy") return ownRoot(explanation, [failed.changedAt]);
  if (failed !== undefined) {
    const worst = worstOfObjects(pods, "Degraded", world);
    return (worst === undefined ? null : world.follow(worst, world)) ?? ownRoot(explanation, [failed.changedAt]);
  }
  const active = numberAt(subject.input.status, "active") ?? 0;
  const refused = active === 0 ? creationRoot(subject, [], world) : null;
  if (refused !== null) return refused;
  const missing = missingOfPodSpec(subject, world);
  const worst = worstOfObjects(pods, "Degraded", world) ?? pods.find((pod) => isStuck(pod, world));
  if (worst !== undefined) return world.follow(worst, world) ?? ownRoot(explanation);
  return missing === undefined ? ownRoot(explanation) : missingRoot(missing, subject);
}

/** Why a CronJob is not well: its newest Job that failed, or that cannot start. */
export function cronJobRoot(subject: Subject, world: World): Root {
  const jobs = ownedOf(subject.input, "batch", "Job");
  if (subject.reason === "RunsMissed") return ownRoot(explainLate(subject, "runs-missed"));
  if (subject.reason === "RunDoesNotEnd") return hangingRoot(subject, jobs, world);
  const failed = jobs.filter((job) => healthOf(job, world)?.status === "Degraded");
  // A CronJob on its way has no failed run at its end: one that cannot start is what holds it.
  const stuck = subject.status === "Progressing" ? jobs.filter((job) => healthOf(job, world)?.reason === subject.reason) : [];
  const newest = (stuck.length > 0 ? stuck : failed).toSorted((left, right) => (ageKey(left) < ageKey(right) ? 1 : -1))[0];
  const below = newest === undefined ? null : world.follow(newest, world);
  return below ?? ownRoot(explanationOf("job", "last-run", { reason: subject.reason, name: subject.ref.name, said: subject.message }));
}

/** The running run has the reason when a pod of it does not start; else only its log has it. */
function hangingRoot(subject: Subject, jobs: readonly Fields[], world: World): Root {
  const [oldest] = jobs
    .filter((job) => (numberAt(fieldsAt(job, "status"), "active") ?? 0) > 0)
    .toSorted((left, right) => (ageKey(left) < ageKey(right) ? -1 : 1));
  const explanation = explainLate(subject, "run-hangs", oldest === undefined ? "" : refOf(oldest).name);
  const below = oldest === undefined ? null : world.follow(oldest, world);
  if (below === null) return ownRoot(explanation);
  const isSilent = below.explanation.id === "job/running" || below.explanation.id === "start/runs-to-end";
  return isSilent ? ownRoot(explanation) : below;
}

function explainLate({ ref, reason, message }: Subject, row: "runs-missed" | "run-hangs", job = ""): Explanation {
  const { at, count } = message.facts;
  const time = typeof at === "string" ? shownTime(at) : "";
  return explanationOf("job", row, { reason, name: ref.name, namespace: ref.namespace, time, count, job });
}

function explainJob({ input, ref, reason, message }: Subject, failure: string | undefined): Explanation {
  const facts = {
    reason,
    name: ref.name,
    said: message,
    limit: numberAt(input.spec, "backoffLimit"),
    deadline: numberAt(input.spec, "activeDeadlineSeconds"),
    ...policyFacts(message),
  };
  return explanationOf("job", failure === undefined ? "running" : (FAILED_ROWS.get(failure) ?? "failed"), facts);
}

/** "Container app for pod env/import-x7k2p failed with exit code 42 matching FailJob rule at index 0" */
function policyFacts(message: Words): { readonly pod: string | undefined; readonly rule: string | undefined } {
  const text = textsOf(message);
  const [, rule] = /\brule at index (\d+)/.exec(text) ?? [];
  if (rule === undefined) return { pod: undefined, rule };
  return { pod: /\bpod [^\s/]+\/(\S+) /.exec(text)?.[1], rule };
}

/** A pod of a running Job that does not even run. */
function isStuck(pod: Fields, world: World): boolean {
  const result = healthOf(pod, world);
  return result?.status === "Progressing" && result.reason !== "Running";
}

function ageKey(job: Fields): string {
  return `${textAt(fieldsAt(job, "metadata"), "creationTimestamp")}/${refOf(job).name}`;
}
