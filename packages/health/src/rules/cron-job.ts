import { fieldsAt, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";
import { Cron } from "croner";

import { DAY_MS, isOlderThan, MINUTE_MS, STALE_MS, timeOf, writtenTime } from "../age.ts";
import { refOf } from "../health-ref.ts";
import { ownedOf } from "../relatives.ts";
import { ruleInputOf } from "../rule-input.ts";
import { changedBy } from "../why/changes/managed-time.ts";
import { degraded, healthy, progressing, suspended, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";
import { jobHealth } from "./job.ts";

/**
 * CronJob: its newest finished Job decides; one that runs does not whitewash the failure before it, and one whose pod has not been able to
 * start for long takes the good word away.
 */
export const rule: KindRule = { kinds: ["batch/CronJob"], generation: "before", judge: cronJobHealth };

/** So many times are computed at most. */
const MAX_TIMES = 100;
/** Longest schedule that is parsed, in characters. */
const MAX_CHARS = 256;

/** A schedule of a CronJob, and a period: after the first time, until the second, milliseconds since the epoch. */
interface DueTimesRequest {
  readonly schedule: string;
  /** Name of the tz database; empty = UTC, which most controller managers run in. */
  readonly timeZone: string;
  readonly afterMs: number;
  readonly untilMs: number;
}

function cronJobHealth(input: RuleInput): Verdict {
  const verdict = finishedRunVerdict(input);
  return verdict.status === "Healthy" ? (stuckRun(input) ?? lateRuns(input) ?? verdict) : verdict;
}

/** One run or two may be missing after a short outage of the control plane. */
const MIN_MISSED = 3;
/** A run may take several periods; one that takes so many is worth looking at, unless runs before it took as long. */
const MIN_SKIPPED = 10;
/** One that takes so many, and a day, has most likely hung. */
const MIN_HUNG = 20;
/** So many times as long as the longest run that is known, a run takes longer than usual. */
const UNUSUAL = 3;
/** The controller starts a run within seconds of its time. */
const START_GRACE_MS = 5 * MINUTE_MS;

/** Runs that were due since the last one was started, and have not been. */
function lateRuns(input: RuleInput): Verdict | undefined {
  const { now, spec, status } = input;
  const at = lastStart(input);
  const graceMs = START_GRACE_MS + (numberAt(spec, "startingDeadlineSeconds") ?? 0) * 1_000;
  // Without its Jobs it is not known what was started.
  if (now === undefined || input.related === undefined || isOlderThan(at, graceMs, now) !== true) return undefined;
  const due = dueTimes({
    schedule: textAt(spec, "schedule"),
    timeZone: textAt(spec, "timeZone"),
    afterMs: timeOf(at),
    untilMs: now - graceMs,
  });
  const first = due[0] === undefined ? "" : writtenTime(due[0]);
  const facts = { at, count: due.length };
  if (spec["concurrencyPolicy"] === "Forbid" && listAt(status, "active").length > 0) {
    const ageMs = now - timeOf(at);
    const message = words("cron-job/run-does-not-end", facts);
    if (due.length >= MIN_HUNG && ageMs > DAY_MS) return degraded("RunDoesNotEnd", message, first);
    const usualMs = longestRunMs(input);
    const isUnusual = usualMs === undefined ? due.length >= MIN_SKIPPED : due.length >= MIN_MISSED && ageMs > UNUSUAL * usualMs;
    return isUnusual ? progressing("RunDoesNotEnd", message, first) : undefined;
  }
  return due.length >= MIN_MISSED ? degraded("RunsMissed", words("cron-job/runs-missed", facts), first) : undefined;
}

/** When a run was started last, else since when there could have been one; what was due before the spec was changed says nothing. */
function lastStart({ metadata, status }: RuleInput): string {
  const started = textAt(status, "lastScheduleTime") || textAt(metadata, "creationTimestamp");
  const changed = changedBy(metadata).at;
  return timeOf(changed) > timeOf(started) ? changed : started;
}

/** How long the longest finished run took that is known, in milliseconds; `undefined` = none is known. */
function longestRunMs(input: RuleInput): number | undefined {
  const tookMs = ownedOf(input, "batch", "Job").flatMap((job) => {
    const status = fieldsAt(job, "status");
    const ms = timeOf(textAt(status, "completionTime")) - timeOf(textAt(status, "startTime"));
    return Number.isNaN(ms) ? [] : [ms];
  });
  return tookMs.length === 0 ? undefined : Math.max(...tookMs);
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

/**
 * When runs were due, oldest first, the first hundred. Empty for a schedule or a time zone that is not understood, such as `@every 1h`, and
 * for a time that is none.
 */
function dueTimes({ schedule, timeZone, afterMs, untilMs }: DueTimesRequest): readonly number[] {
  const due: number[] = [];
  if (schedule.length > MAX_CHARS || Number.isNaN(afterMs)) return due;
  try {
    const cron = new Cron(schedule, { mode: "5-part", timezone: timeZone || "UTC", paused: true });
    let at = cron.nextRun(new Date(afterMs));
    while (at !== null && at.getTime() <= untilMs && due.length < MAX_TIMES) {
      due.push(at.getTime());
      at = cron.nextRun(at);
    }
  } catch {
    // A schedule that is not understood says nothing.
  }
  return due;
}
