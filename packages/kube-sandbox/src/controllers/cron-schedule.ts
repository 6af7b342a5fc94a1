import { Cron } from "croner";

/** Reads a schedule of a CronJob, in UTC as most controller managers run; `undefined` when it is not one. */
export function parseCronSchedule(text: string): Cron | undefined {
  try {
    return new Cron(text, { mode: "5-part", timezone: "UTC", paused: true });
  } catch {
    return undefined;
  }
}

/** First due minute after a moment, in epoch milliseconds; `undefined` when there is none. */
export function nextDue(schedule: Cron, afterMs: number): number | undefined {
  return schedule.nextRun(new Date(afterMs))?.getTime();
}
