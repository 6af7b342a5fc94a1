import type { Catalogue } from "../catalogue.ts";

/** Jobs and CronJobs. Facts: name, namespace, limit, deadline, said, reason, rule, pod, time, count, job. */
export const JOB = {
  "job/backoff": "Job {name} has failed more often than its backoffLimit{has_limit, select, no {} other { of {limit}}} allows",
  "job/backoff/next": "Read the log of a failed pod of Job {name}, repair the cause, then create the Job anew.",
  "job/deadline": "Job {name} did not end within its deadline{has_deadline, select, no {} other { of {deadline} seconds}}",
  "job/deadline/next": "Raise activeDeadlineSeconds of Job {name} or make it faster, then create it anew.",
  "job/policy":
    "The podFailurePolicy of Job {name} ended it at once{has_rule, select, no {} other { by rule {rule}}}{has_said, select, no {} other {: {said}}}",
  "job/policy/next":
    "Read the log of the failed pod{has_pod, select, no {} other { {pod}}}, repair the cause, then create Job {name} anew.",
  "job/failed": "Job {name} has failed{has_said, select, no {} other {: {said}}}",
  "job/failed/next": "Read the log of a pod of Job {name}, repair the cause, then create it anew.",
  "job/running": "Job {name} has not ended yet{has_said, select, no {} other {: {said}}}",
  "job/running/next": "Wait for it to end; if it takes too long, read the log of its pods.",
  "job/runs-missed":
    "CronJob {name} has started no run since {time} UTC, although at least {count, plural, one {{count} was} other {{count} were}} due",
  "job/runs-missed/next":
    "Check startingDeadlineSeconds, schedule and timeZone of CronJob {name}, then that the controller manager runs; read the events of the CronJob.",
  "job/run-hangs":
    "The run of CronJob {name} that began at {time} UTC{has_job, select, no {} other {, Job {job},}} has not ended, so that at least {count, plural, one {{count} run was} other {{count} runs were}} skipped (concurrencyPolicy Forbid)",
  "job/run-hangs/next":
    "Read the log of its pod{has_namespace, select, no {} other {{has_job, select, no {} other { (kubectl logs -n {namespace} job/{job})}}}}; delete the Job to let the next run start, and limit it by activeDeadlineSeconds.",
  "job/last-run": "The last run of CronJob {name} did not succeed{has_said, select, no {} other {: {said}}}",
  "job/last-run/next":
    "Read the log of its last Job, and start one by hand (kubectl create job --from=cronjob/{name}) when it is repaired.",
} as const satisfies Catalogue;
