import type { Catalogue } from "../catalogue.ts";

/** Health of Jobs, CronJobs and workflows. Facts: reason, active, succeeded of wanted, job, said; times as they are written. */
export const BATCH = {
  "job/has-failed": "The Job has failed{has_reason, select, no {} other {: {reason}}}",
  "job/complete": "The Job is complete",
  "job/suspended": "The Job is suspended",
  "job/not-started": "The Job has not started yet",
  "job/counts": "{active} active, {succeeded} of {wanted} completed{has_failed, select, no {} other {, {failed} failed}}",
  "job/failed-indexes":
    "Indexes {indexes} have failed for good, so the Job will fail: {active} active, {succeeded} of {wanted} completed{has_failed, select, no {} other {, {failed} failed}}",
  "job/criteria-met":
    "The success criteria are met{has_ending, select, no {} other {; {ending, plural, one {{ending} pod is} other {{ending} pods are}} still ending}}",
  "cron-job/suspended": "The CronJob is suspended",
  "cron-job/last-run-of-job": "The last finished run, Job {job}, completed",
  "cron-job/last-run-failed": "The last finished run, Job {job}, failed: {said}{has_runs, select, no {} other {; {runs}}}",
  "cron-job/failed-runs": "{failed} of the last {total} runs failed",
  "cron-job/last-run": "The last run completed",
  "cron-job/not-run": "The CronJob has not run yet",
  "cron-job/run-stuck": "The run of Job {job} cannot start: {said}",
  "cron-job/runs-missed":
    "No run has started since {at}, although at least {count, plural, one {{count} run was} other {{count} runs were}} due",
  "cron-job/run-does-not-end":
    "A run has been in progress since {at}, so that at least {count, plural, one {{count} run was} other {{count} runs were}} skipped",
  "cron-job/running": "A run is in progress",
  "cron-job/no-finished-run": "No finished run is known",
  "cron-job/run-failed": "The run of {scheduled} did not succeed; the last success was at {succeeded}",
  "workflow/runs": "The workflow runs",
  "workflow/succeeded": "The workflow has succeeded",
  "workflow/failed": "The workflow has failed",
} as const satisfies Catalogue;
