import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";

import { refOf } from "../health-ref.ts";
import { ownedOf } from "../relatives.ts";
import { ruleInputOf } from "../rule-input.ts";
import { degraded, healthy, suspended, type RuleInput, type Verdict } from "../verdict.ts";
import { jobHealth } from "./job.ts";

/** CronJob: its newest finished Job decides; one that runs does not whitewash the failure before it. */
export function cronJobHealth(input: RuleInput): Verdict {
  if (input.spec["suspend"] === true) return suspended("Suspended", "The CronJob is suspended");
  const jobs = ownedOf(input, "batch", "Job").map((job) => ({
    job,
    verdict: jobHealth(ruleInputOf(job, { now: input.now, related: [] })),
  }));
  let newest: (typeof jobs)[number] | undefined;
  for (const candidate of jobs) {
    if (candidate.verdict.status !== "Healthy" && candidate.verdict.status !== "Degraded") continue;
    if (newest === undefined || isNewer(candidate.job, newest.job)) newest = candidate;
  }
  if (newest === undefined) return byTimes(input, jobs.length > 0);
  const ref = refOf(newest.job);
  const { verdict } = newest;
  if (verdict.status === "Healthy") return healthy("LastRunComplete", `The last finished run, Job ${ref.name}, completed`, verdict.since);
  const { status, reason, message, since } = verdict;
  const failed = degraded("LastRunFailed", `The last finished run, Job ${ref.name}, failed: ${message}`, since);
  return { ...failed, causes: [{ ref, status, reason, message, ...(since === undefined || since === "" ? {} : { since }) }] };
}

/** Without finished Jobs only the two timestamps can tell, and only when nothing runs right now. */
function byTimes(input: RuleInput, hasJobs: boolean): Verdict {
  const scheduled = textAt(input.status, "lastScheduleTime");
  const succeeded = textAt(input.status, "lastSuccessfulTime");
  if (scheduled === "") return healthy("NotRunYet", "The CronJob has not run yet");
  if (hasJobs || listAt(input.status, "active").length > 0) return healthy("Running", "A run is in progress");
  if (succeeded === "") return healthy("NoFinishedRun", "No finished run is known");
  if (Date.parse(succeeded) < Date.parse(scheduled)) {
    return degraded("LastRunFailed", `The run of ${scheduled} did not succeed; the last success was at ${succeeded}`, scheduled);
  }
  return healthy("LastRunComplete", "The last run completed", succeeded);
}

function isNewer(left: Fields, right: Fields): boolean {
  const [a, b] = [fieldsAt(left, "metadata"), fieldsAt(right, "metadata")];
  const [created, before] = [textAt(a, "creationTimestamp"), textAt(b, "creationTimestamp")];
  return created === before ? textAt(a, "name") > textAt(b, "name") : created > before;
}
