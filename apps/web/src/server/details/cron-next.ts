import { Cron } from "croner";

const MAX_CHARS = 200;

/** When a schedule of a CronJob is due next, in milliseconds since the epoch; `undefined` for an invalid schedule or zone, or one that is never due. */
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
