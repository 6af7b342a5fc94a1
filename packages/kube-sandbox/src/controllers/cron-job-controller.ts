import { controllerReference, timestampOf, type ApiObject } from "../api-object.ts";
import { numberIn, textIn, treeIn, valueIn } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { nextDue, parseCronSchedule } from "./cron-schedule.ts";
import { isFinished } from "./job-controller.ts";
import { conditionOf } from "./pod-state.ts";

const STORAGE = "batch/cronjobs";
const JOBS = "batch/jobs";
const COMPONENT = "cronjob-controller";

/** Makes a Job whenever a CronJob is due, and removes old ones. */
export function cronJobController(cluster: Cluster): Controller {
  return {
    name: COMPONENT,
    watches: { [STORAGE]: itself, [JOBS]: itsController("CronJob") },
    reconcile: (key) => reconcile(cluster, key),
  };
}

function reconcile(cluster: Cluster, { namespace, name }: Key): number | undefined {
  const cron = cluster.get(STORAGE, namespace, name);
  if (!cron || cron.metadata.deletionTimestamp !== undefined) return undefined;
  const schedule = parseCronSchedule(textIn(cron, "spec", "schedule") ?? "");
  if (!schedule) {
    cluster.record(cron, {
      type: "Warning",
      reason: "UnparseableSchedule",
      message: `unparseable schedule: ${textIn(cron, "spec", "schedule")}`,
      component: COMPONENT,
    });
    return undefined;
  }
  const now = cluster.clock.now();
  const last = textIn(cron, "status", "lastScheduleTime");
  const due = nextDue(schedule, Date.parse(last ?? cron.metadata.creationTimestamp));
  let scheduled = last;
  if (valueIn(cron, "spec", "suspend") !== true && due !== undefined && due <= now) {
    const at = latestDue(due, now, (after) => nextDue(schedule, after));
    if (startJob(cluster, cron, at)) scheduled = timestampOf(at);
  }
  const jobs = cluster.controlled(JOBS, cron);
  removeOld(cluster, cron, jobs);
  const active = jobs
    .filter((job) => !isFinished(job))
    .map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      name: metadata.name,
      namespace,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    }));
  const successes = jobs.flatMap((job) => textIn(job, "status", "completionTime") ?? []).sort();
  const success = successes.at(-1) ?? textIn(cron, "status", "lastSuccessfulTime");
  cluster.updateStatus(STORAGE, cron, {
    ...(active.length > 0 ? { active } : {}),
    ...(scheduled === undefined ? {} : { lastScheduleTime: scheduled }),
    ...(success === undefined ? {} : { lastSuccessfulTime: success }),
  });
  if (valueIn(cron, "spec", "suspend") === true) return undefined;
  const next = nextDue(schedule, now);
  return next === undefined ? undefined : next - now + 100;
}

function latestDue(first: number, now: number, following: (after: number) => number | undefined): number {
  let due = first;
  for (let rounds = 0; rounds < 1_000; rounds += 1) {
    const next = following(due);
    if (next === undefined || next > now) break;
    due = next;
  }
  return due;
}

function startJob(cluster: Cluster, cron: ApiObject, at: number): boolean {
  const running = cluster.controlled(JOBS, cron).filter((job) => !isFinished(job));
  const policy = textIn(cron, "spec", "concurrencyPolicy");
  if (policy === "Forbid" && running.length > 0) {
    cluster.record(cron, {
      reason: "JobAlreadyActive",
      message: "Not starting job because prior execution is running and concurrency policy is Forbid",
      component: COMPONENT,
    });
    return false;
  }
  if (policy === "Replace") for (const job of running) cluster.delete(JOBS, job, { propagation: "Background" });
  const template = treeIn(cron, "spec", "jobTemplate");
  const made = cluster.create(JOBS, {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      ...treeIn(template, "metadata"),
      name: `${cron.metadata.name.slice(0, 52)}-${Math.floor(at / 60_000)}`,
      namespace: cron.metadata.namespace,
      annotations: { ...treeIn(template, "metadata", "annotations"), "batch.kubernetes.io/cronjob-scheduled-timestamp": timestampOf(at) },
      ownerReferences: [controllerReference(cron)],
    },
    spec: structuredClone(treeIn(template, "spec")),
  });
  if (made) cluster.record(cron, { reason: "SuccessfulCreate", message: `Created job ${made.metadata.name}`, component: COMPONENT });
  return true;
}

function removeOld(cluster: Cluster, cron: ApiObject, jobs: readonly ApiObject[]): void {
  for (const [type, field, standard] of [
    ["Complete", "successfulJobsHistoryLimit", 3],
    ["Failed", "failedJobsHistoryLimit", 1],
  ] as const) {
    const ended = jobs.filter((job) => textIn(conditionOf(job, type), "status") === "True");
    const surplus = ended.length - (numberIn(cron, "spec", field) ?? standard);
    for (const job of ended.slice(0, Math.max(0, surplus))) cluster.delete(JOBS, job, { propagation: "Background" });
  }
}
