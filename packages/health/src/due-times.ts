import { Cron } from "croner";

/** So many times are computed at most. */
const MAX_TIMES = 100;
/** Longest schedule that is parsed, in characters. */
const MAX_CHARS = 256;

/** A schedule of a CronJob, and a period: after the first time, until the second, milliseconds since the epoch. */
export interface DueTimesRequest {
  readonly schedule: string;
  /** Name of the tz database; empty = UTC, which most controller managers run in. */
  readonly timeZone: string;
  readonly afterMs: number;
  readonly untilMs: number;
}

/**
 * When runs were due, oldest first, the first hundred. Empty for a schedule or a time zone that is not understood, such as `@every 1h`, and
 * for a time that is none.
 */
export function dueTimes({ schedule, timeZone, afterMs, untilMs }: DueTimesRequest): readonly number[] {
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
