import { fieldsAt, fieldsOf, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";
import { Cron } from "croner";

import { templateSection } from "../detail-parts/container.ts";
import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, plain, row, saying, time } from "../detail-parts/rows.ts";

/** How often it has to succeed, how far it has come, how long it took. */
export function jobDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  const failed = numberAt(status, "failed") ?? 0;
  const facts = [
    ...jobSpecRows(spec),
    ...row(
      "detail/succeeded",
      saying("detail/of", { count: numberAt(status, "succeeded") ?? 0, total: numberAt(spec, "completions") ?? 1 }),
    ),
    ...row("detail/active", plain(numberAt(status, "active") || undefined, "busy")),
    ...row("detail/failed", failed > 0 ? plain(failed, "bad") : undefined),
    ...row("detail/failed-indexes", plain(status["failedIndexes"], "bad")),
    ...row("detail/started", time(status["startTime"])),
    ...row("detail/finished", time(finishedAt(status))),
    ...row("detail/duration", durationItem(textAt(status, "startTime"), finishedAt(status))),
    ...row("detail/ttl", secondsItem(spec, "ttlSecondsAfterFinished")),
  ];
  return { facts, sections: templateSection({ spec, namespace }) };
}

/** When it runs, when it ran last and when next, and the Jobs that it keeps. */
export function cronJobDetails({ spec, status, namespace, nowMs }: DetailInput): Partial<Details> {
  const template = fieldsAt(fieldsAt(spec, "jobTemplate"), "spec");
  const suspended = spec["suspend"] === true;
  const [schedule, timeZone] = [textAt(spec, "schedule"), textAt(spec, "timeZone")];
  const next = suspended ? undefined : nextRun(schedule, { timeZone: timeZone || "UTC", afterMs: nowMs });
  const active = listAt(status, "active").map((job) => link({ group: "batch", kind: "Job", name: textAt(job, "name"), namespace }));
  const facts = [
    ...row("detail/schedule", plain(schedule)),
    ...row("detail/time-zone", plain(timeZone)),
    ...row("detail/suspended", suspended ? saying("detail/yes", {}, "busy") : saying("detail/no")),
    ...row("detail/last-run", time(status["lastScheduleTime"])),
    ...row("detail/last-success", time(status["lastSuccessfulTime"])),
    ...row("detail/next-run", next === undefined ? undefined : time(new Date(next).toISOString())),
    ...row("detail/active", ...active),
    ...row("detail/concurrency", plain(textAt(spec, "concurrencyPolicy"))),
    ...row("detail/start-deadline", secondsItem(spec, "startingDeadlineSeconds")),
    ...row("detail/history-limits", historyItem(spec)),
    ...jobSpecRows(template),
  ];
  return { facts, sections: templateSection({ spec: template, namespace }) };
}

function jobSpecRows(spec: Fields): Row[] {
  return [
    ...row("detail/parallelism", plain(numberAt(spec, "parallelism"))),
    ...row("detail/completion-mode", spec["completionMode"] === "Indexed" ? plain("Indexed") : undefined),
    ...row("detail/retries", plain(numberAt(spec, "backoffLimit"))),
    ...row("detail/deadline", secondsItem(spec, "activeDeadlineSeconds")),
  ];
}

/** A Job that failed has no completion time; its condition has. */
function finishedAt(status: Fields): string {
  const completed = textAt(status, "completionTime");
  if (completed !== "") return completed;
  const failed = listAt(status, "conditions").find((each) => textAt(each, "type") === "Failed" && textAt(each, "status") === "True");
  return textAt(fieldsOf(failed), "lastTransitionTime");
}

function durationItem(from: string, to: string): Item | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isFinite(ms) && ms >= 0 ? { words: durationWords(ms) } : undefined;
}

function historyItem(spec: Fields): Item {
  const [succeeded, failed] = [numberAt(spec, "successfulJobsHistoryLimit") ?? 3, numberAt(spec, "failedJobsHistoryLimit") ?? 1];
  return saying("detail/history-kept", { succeeded, failed });
}

function secondsItem(spec: Fields, name: string): Item | undefined {
  const seconds = numberAt(spec, name);
  return seconds === undefined ? undefined : saying("detail/seconds", { seconds });
}

/** A length of time in its two largest units. */
function durationWords(ms: number): Words {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600), Math.floor(seconds / 86_400)];
  if (days > 0) return words("detail/duration-days", { days, hours: hours % 24 });
  if (hours > 0) return words("detail/duration-hours", { hours, minutes: minutes % 60 });
  return minutes > 0 ? words("detail/duration-minutes", { minutes, seconds: seconds % 60 }) : words("detail/seconds", { seconds });
}

const MAX_CHARS = 200;

/**
 * When a schedule of a CronJob is due next, in milliseconds since the epoch; `undefined` for an invalid schedule or zone, or one that is
 * never due.
 */
export function nextRun(
  schedule: string,
  { timeZone, afterMs }: { readonly timeZone: string; readonly afterMs: number },
): number | undefined {
  if (schedule.length > MAX_CHARS || !Number.isFinite(afterMs)) return undefined;
  try {
    // Kubernetes takes "5/20" too, which croner calls a sloppy range.
    const cron = new Cron(schedule, { mode: "5-part", timezone: timeZone, paused: true, sloppyRanges: true });
    return cron.nextRun(new Date(afterMs))?.getTime();
  } catch {
    return undefined;
  }
}
