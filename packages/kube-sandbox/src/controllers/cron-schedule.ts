/** The five fields of a cron schedule as sets of allowed numbers. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** cron's rule: when both day fields are restricted, either may match. */
  readonly eitherDay: boolean;
}

const SHORTHANDS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MINUTE_MS = 60_000;

/** Reads a schedule; `undefined` when it is not one. Times are UTC. */
export function parseCronSchedule(text: string): CronSchedule | undefined {
  const fields = (SHORTHANDS[text.trim()] ?? text).trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const minutes = parseField(minute, { from: 0, to: 59 });
  const hours = parseField(hour, { from: 0, to: 23 });
  const days = parseField(day, { from: 1, to: 31 });
  const months = parseField(month, { from: 1, to: 12, names: MONTHS });
  const weekdays = parseField(weekday, { from: 0, to: 7, names: WEEKDAYS });
  if (fields.length !== 5 || !minutes || !hours || !days || !months || !weekdays) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  return { minutes, hours, days, months, weekdays, eitherDay: day !== "*" && weekday !== "*" };
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

function parseField(text: string, { from, to, names }: Range): Set<number> | undefined {
  const values = new Set<number>();
  const numberOf = (part: string): number => {
    const named = names?.indexOf(part.toLowerCase()) ?? -1;
    return named >= 0 ? named + (from === 1 ? 1 : 0) : /^\d+$/.test(part) ? Number(part) : Number.NaN;
  };
  for (const part of text.split(",")) {
    const [range = "", step = "1"] = part.split("/");
    const [first = "", last] = range.split("-");
    const any = range === "*" || range === "?";
    const low = any ? from : numberOf(first);
    const high = any || (last === undefined && part.includes("/")) ? to : last === undefined ? low : numberOf(last);
    const by = Number(step);
    if (!(low >= from && high <= to && low <= high && by >= 1)) return undefined;
    for (let value = low; value <= high; value += by) values.add(value);
  }
  return values;
}

/** First due minute after a moment, in epoch milliseconds; `undefined` when there is none within four years. */
export function nextDue(schedule: CronSchedule, afterMs: number): number | undefined {
  let at = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  const end = at + 4 * 366 * 24 * 60 * MINUTE_MS;
  while (at < end) {
    const date = new Date(at);
    const dayFits = schedule.days.has(date.getUTCDate());
    const weekdayFits = schedule.weekdays.has(date.getUTCDay());
    const fits = schedule.eitherDay ? dayFits || weekdayFits : dayFits && weekdayFits;
    if (!schedule.months.has(date.getUTCMonth() + 1) || !fits) at += (24 * 60 - date.getUTCHours() * 60 - date.getUTCMinutes()) * MINUTE_MS;
    else if (!schedule.hours.has(date.getUTCHours())) at += (60 - date.getUTCMinutes()) * MINUTE_MS;
    else if (!schedule.minutes.has(date.getUTCMinutes())) at += MINUTE_MS;
    else return at;
  }
  return undefined;
}
