import type { WordTable } from "./words.ts";

/** Jobs and CronJobs. Facts: name, limit, deadline, said, reason. */
export const JOB_WORDS = {
  backoff: {
    reason: "BackoffLimitExceeded",
    message: "Job {name} has failed more often than its backoffLimit[ of {limit}] allows",
    nextStep: "Read the log of a failed pod of Job {name}, repair the cause, then create the Job anew.",
  },
  deadline: {
    reason: "DeadlineExceeded",
    message: "Job {name} did not end within its deadline[ of {deadline} seconds]",
    nextStep: "Raise activeDeadlineSeconds of Job {name} or make it faster, then create it anew.",
  },
  policy: {
    reason: "PodFailurePolicy",
    message: "The podFailurePolicy of Job {name} ended it[: {said}]",
    nextStep: "Read the log of the failed pod, repair the cause, then create Job {name} anew.",
  },
  failed: {
    message: "Job {name} has failed[: {said}]",
    nextStep: "Read the log of a pod of Job {name}, repair the cause, then create it anew.",
  },
  running: {
    message: "Job {name} has not ended yet[: {said}]",
    nextStep: "Wait for it to end; if it takes too long, read the log of its pods.",
  },
  "last-run": {
    message: "The last run of CronJob {name} did not succeed[: {said}]",
    nextStep: "Read the log of its last Job, and start one by hand (kubectl create job --from=cronjob/{name}) when it is repaired.",
  },
} as const satisfies WordTable;
