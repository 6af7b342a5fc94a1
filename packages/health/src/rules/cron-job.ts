import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { isOlderThan, STALE_MS, timeOf } from "../age.ts";
import { refOf } from "../health-ref.ts";
import { ownedOf } from "../relatives.ts";
import { ruleInputOf } from "../rule-input.ts";
import { degraded, healthy, progressing, suspended, type RuleInput, type Verdict } from "../verdict.ts";
import { jobHealth } from "./job.ts";

/**
 * CronJob: its newest finished Job decides; one that runs does not whitewash the failure before it, and one whose pod has not been able to
 * start for long takes the good word away.
 */
export function cronJobHealth(input: RuleInput): Verdict {
  const verdict = finishedRunVerdict(input);
  return verdict.status === "Healthy" ? (stuckRun(input) ?? verdict) : verdict;
}

/** What the first run says, by name, whose pod has not been able to start for longer than starting takes. */
function stuckRun(input: RuleInput): Verdict | undefined {
  for (const job of ownedOf(input, "batch", "Job").sort(byName)) {
    const { status, reason, message, since = "", causes = [] } = jobHealth(ruleInputOf(job, input));
    if (causes.length === 0 || isOlderThan(since, STALE_MS, input.now) !== true) continue;
    const ref = refOf(job);
    const verdict = progressing(reason, words("cron-job/run-stuck", { job: ref.name, said: message }), since);
    return { ...verdict, causes: [{ ref, status, reason, message, ...(since === "" ? {} : { since }) }, ...causes] };
  }
  return undefined;
}

interface Run {
  readonly job: Fields;
  readonly verdict: Verdict;
}

function finishedRunVerdict(input: RuleInput): Verdict {
  if (input.spec["suspend"] === true) return suspended("Suspended", words("cron-job/suspended"));
  const jobs: Run[] = ownedOf(input, "batch", "Job").map((job) => ({
    job,
    verdict: jobHealth(ruleInputOf(job, { now: input.now, related: [] })),
  }));
  const finished = jobs.filter(({ verdict }) => verdict.status === "Healthy" || verdict.status === "Degraded");
  finished.sort((left, right) => (isNewer(left.job, right.job) ? -1 : 1));
  const [newest] = finished;
  if (newest === undefined) return byTimes(input, jobs.length > 0);
  const ref = refOf(newest.job);
  const { verdict } = newest;
  if (verdict.status === "Healthy") return healthy("LastRunComplete", words("cron-job/last-run-of-job", { job: ref.name }), verdict.since);
  const { status, reason, message, since } = verdict;
  const failed = degraded(
    "LastRunFailed",
    words("cron-job/last-run-failed", { job: ref.name, said: message, runs: runsOf(finished) }),
    firstFailure(finished),
  );
  return { ...failed, causes: [{ ref, status, reason, message, ...(since === undefined || since === "" ? {} : { since }) }] };
}

/** Since when runs have failed, without one between them that did not. */
function firstFailure(newestFirst: readonly Run[]): string {
  const wellAt = newestFirst.findIndex(({ verdict }) => verdict.status === "Healthy");
  return newestFirst[wellAt < 0 ? newestFirst.length - 1 : wellAt - 1]?.verdict.since ?? "";
}

/** How many of the runs that are known failed, when there are several. */
function runsOf(finished: readonly Run[]): Words | undefined {
  const failed = finished.filter(({ verdict }) => verdict.status === "Degraded").length;
  return finished.length > 1 ? words("cron-job/failed-runs", { failed, total: finished.length }) : undefined;
}

/** Without finished Jobs only the two timestamps can tell, and only when nothing runs right now. */
function byTimes(input: RuleInput, hasJobs: boolean): Verdict {
  const scheduled = textAt(input.status, "lastScheduleTime");
  const succeeded = textAt(input.status, "lastSuccessfulTime");
  if (scheduled === "") return healthy("NotRunYet", words("cron-job/not-run"));
  if (hasJobs || listAt(input.status, "active").length > 0) return healthy("Running", words("cron-job/running"));
  if (succeeded === "") return healthy("NoFinishedRun", words("cron-job/no-finished-run"));
  if (timeOf(succeeded) < timeOf(scheduled)) {
    return degraded("LastRunFailed", words("cron-job/run-failed", { scheduled, succeeded }), scheduled);
  }
  return healthy("LastRunComplete", words("cron-job/last-run"), succeeded);
}

function byName(left: Fields, right: Fields): number {
  return refOf(left).name < refOf(right).name ? -1 : 1;
}

function isNewer(left: Fields, right: Fields): boolean {
  const [a, b] = [fieldsAt(left, "metadata"), fieldsAt(right, "metadata")];
  const [created, before] = [textAt(a, "creationTimestamp"), textAt(b, "creationTimestamp")];
  return created === before ? textAt(a, "name") > textAt(b, "name") : created > before;
}
