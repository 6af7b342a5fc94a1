import { numberAt, textAt, fieldsAt, type Fields } from "@binnacle/kube";

import { conditionsOf } from "../../condition.ts";
import { refOf } from "../../health-ref.ts";
import { ownedOf } from "../../relatives.ts";
import { failedCondition } from "../../rules/job.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { say, type Said } from "../say.ts";
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
  const said = sayJob(subject, failed?.reason);
  if (failed !== undefined) {
    const worst = worstOfObjects(pods, "Degraded", world);
    return (worst === undefined ? null : world.follow(worst, world)) ?? ownRoot(said, [failed.changedAt]);
  }
  const active = numberAt(subject.input.status, "active") ?? 0;
  const refused = active === 0 ? creationRoot(subject, [], world) : null;
  if (refused !== null) return refused;
  const missing = missingOfPodSpec(subject, world);
  const worst = worstOfObjects(pods, "Degraded", world) ?? pods.find((pod) => isStuck(pod, world));
  if (worst !== undefined) return world.follow(worst, world) ?? ownRoot(said);
  return missing === undefined ? ownRoot(said) : missingRoot(missing, subject);
}

/** Why a CronJob is not well: its newest Job that failed, or that cannot start. */
export function cronJobRoot(subject: Subject, world: World): Root {
  const jobs = ownedOf(subject.input, "batch", "Job");
  const failed = jobs.filter((job) => healthOf(job, world)?.status === "Degraded");
  // A CronJob on its way has no failed run at its end: one that cannot start is what holds it.
  const stuck = subject.status === "Progressing" ? jobs.filter((job) => healthOf(job, world)?.reason === subject.reason) : [];
  const newest = (stuck.length > 0 ? stuck : failed).toSorted((left, right) => (ageKey(left) < ageKey(right) ? 1 : -1))[0];
  const below = newest === undefined ? null : world.follow(newest, world);
  return below ?? ownRoot(say("job", "last-run", { reason: subject.reason, name: subject.ref.name, said: subject.message }));
}

function sayJob({ input, ref, reason, message }: Subject, failure: string | undefined): Said {
  const facts = {
    reason,
    name: ref.name,
    said: message,
    limit: numberAt(input.spec, "backoffLimit"),
    deadline: numberAt(input.spec, "activeDeadlineSeconds"),
  };
  return say("job", failure === undefined ? "running" : (FAILED_ROWS.get(failure) ?? "failed"), facts);
}

/** A pod of a running Job that does not even run. */
function isStuck(pod: Fields, world: World): boolean {
  const result = healthOf(pod, world);
  return result?.status === "Progressing" && result.reason !== "Running";
}

function ageKey(job: Fields): string {
  return `${textAt(fieldsAt(job, "metadata"), "creationTimestamp")}/${refOf(job).name}`;
}
