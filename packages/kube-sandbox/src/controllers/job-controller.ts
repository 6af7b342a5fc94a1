import type { ApiObject } from "../api-object.ts";
import { isSame, listIn, numberIn, textIn, valueIn, type Tree } from "../json-tree.ts";
import type { Cluster } from "./cluster.ts";
import { itself, itsController, type Controller, type Key } from "./controller-loop.ts";
import { conditionOf, isActive, isReady, withCondition } from "./pod-state.ts";
import { podFromTemplate } from "./replica-set-controller.ts";

const STORAGE = "batch/jobs";
const PODS = "/pods";
const COMPONENT = "job-controller";

/** Runs pods until a Job has its completions, or too many failed. */
export function jobController(cluster: Cluster): Controller {
  return {
    name: COMPONENT,
    watches: { [STORAGE]: itself, [PODS]: itsController("Job") },
    reconcile: (key) => reconcile(cluster, key),
  };
}

/** True once a Job has ended, well or not. */
export function isFinished(job: ApiObject): boolean {
  return ["Complete", "Failed"].some((type) => textIn(conditionOf(job, type), "status") === "True");
}

function reconcile(cluster: Cluster, { namespace, name }: Key): number | undefined {
  const job = cluster.get(STORAGE, namespace, name);
  if (!job || job.metadata.deletionTimestamp !== undefined) return undefined;
  if (isFinished(job)) return removeLater(cluster, job);
  const pods = cluster.controlled(PODS, job);
  const active = pods.filter(isActive);
  const succeeded = countPhase(pods, "Succeeded");
  const failed = countPhase(pods, "Failed");
  const suspended = valueIn(job, "spec", "suspend") === true;
  const completions = numberIn(job, "spec", "completions") ?? 1;
  const parallelism = numberIn(job, "spec", "parallelism") ?? 1;
  const exhausted = failed > (numberIn(job, "spec", "backoffLimit") ?? 6);
  const wanted = suspended || exhausted ? 0 : Math.min(parallelism, Math.max(0, completions - succeeded));
  for (let missing = wanted - active.length; missing > 0; missing -= 1)
    createPod(cluster, job, active.length + succeeded + failed + missing - 1);
  for (const pod of active.slice(wanted)) cluster.delete(PODS, pod);
  report(cluster, job, { succeeded, failed, suspended, exhausted, done: succeeded >= completions });
  return undefined;
}

function countPhase(pods: readonly ApiObject[], phase: string): number {
  return pods.filter((pod) => textIn(pod, "status", "phase") === phase).length;
}

function createPod(cluster: Cluster, job: ApiObject, index: number): void {
  const indexed = textIn(job, "spec", "completionMode") === "Indexed";
  const generateName = indexed ? `${job.metadata.name}-${index}-` : `${job.metadata.name}-`;
  const annotations = indexed ? { annotations: { "batch.kubernetes.io/job-completion-index": String(index) } } : {};
  const pod = podFromTemplate(job, { generateName, ...annotations });
  const made = cluster.create(PODS, pod);
  if (made) cluster.record(job, { reason: "SuccessfulCreate", message: `Created pod: ${made.metadata.name}`, component: COMPONENT });
}

interface Outcome {
  readonly succeeded: number;
  readonly failed: number;
  readonly suspended: boolean;
  readonly exhausted: boolean;
  readonly done: boolean;
}

function report(cluster: Cluster, job: ApiObject, { succeeded, failed, suspended, exhausted, done }: Outcome): void {
  const now = cluster.timestamp();
  const active = cluster.controlled(PODS, job).filter(isActive);
  let conditions = [...listIn(job, "status", "conditions")];
  const add = (type: string, reason: string, message: string): void => {
    conditions = withCondition(conditions, { type, status: "True", reason, message, lastProbeTime: now }, now);
  };
  const wasSuspended = textIn(conditionOf(job, "Suspended"), "status") === "True";
  if (suspended && !wasSuspended) add("Suspended", "JobSuspended", "Job suspended");
  if (!suspended && wasSuspended) {
    conditions = withCondition(
      conditions,
      { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed", lastProbeTime: now },
      now,
    );
  }
  if (done) {
    add("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods");
    add("Complete", "CompletionsReached", "Reached expected number of succeeded pods");
  } else if (exhausted) {
    add("FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    add("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  const ended = done || exhausted;
  const started = textIn(job, "status", "startTime") ?? (suspended ? undefined : now);
  const status: Tree = {
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(started === undefined ? {} : { startTime: started }),
    ...(done ? { completionTime: now } : {}),
    ...(active.length > 0 && !ended ? { active: active.length } : {}),
    ...(succeeded > 0 ? { succeeded } : {}),
    ...(failed > 0 ? { failed } : {}),
    ready: ended ? 0 : active.filter(isReady).length,
    terminating: 0,
    uncountedTerminatedPods: {},
  };
  if (isSame(status, job["status"])) return;
  cluster.updateStatus(STORAGE, job, status);
  if (done) cluster.record(job, { reason: "Completed", message: "Job completed", component: COMPONENT });
  if (exhausted)
    cluster.record(job, {
      type: "Warning",
      reason: "BackoffLimitExceeded",
      message: "Job has reached the specified backoff limit",
      component: COMPONENT,
    });
}

function removeLater(cluster: Cluster, job: ApiObject): number | undefined {
  const seconds = numberIn(job, "spec", "ttlSecondsAfterFinished");
  if (seconds === undefined) return undefined;
  const end =
    textIn(job, "status", "completionTime") ?? textIn(conditionOf(job, "Failed"), "lastTransitionTime") ?? job.metadata.creationTimestamp;
  const leftMs = Date.parse(end) + seconds * 1_000 - cluster.clock.now();
  if (leftMs > 0) return leftMs;
  cluster.delete(STORAGE, job, { propagation: "Foreground" });
  return undefined;
}
