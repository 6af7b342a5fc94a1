/** No schedule that is ever due waits longer: 29 February comes at least every eight years. */
const MOST_DAYS = 366 * 8;
const DAY_MS = 86_400_000;
const MOST_CHARS = 200;

const MACROS: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly isDay: (day: { readonly month: number; readonly date: number; readonly weekday: number }) => boolean;
}

/** When a schedule of a CronJob is due next, in milliseconds since the epoch; `undefined` where nobody can say. */
export function nextRun(
  schedule: string,
  { timeZone, afterMs }: { readonly timeZone: string; readonly afterMs: number },
): number | undefined {
  const parsed = parseSchedule(schedule);
  const wall = parsed && wallClock(timeZone);
  if (parsed === undefined || wall === undefined || !Number.isFinite(afterMs)) return undefined;
  // Counted on the clock on the wall, as if that were UTC; what it shows at a moment is asked of the zone.
  const local = wall(afterMs);
  const first = Math.floor(local / DAY_MS) * DAY_MS;
  for (let day = 0; day < MOST_DAYS; day += 1) {
    const at = first + day * DAY_MS;
    if (!parsed.isDay(dayOf(at))) continue;
    for (const hour of parsed.hours) {
      for (const minute of parsed.minutes) {
        const due = momentOf(at + hour * 3_600_000 + minute * 60_000, wall);
        if (due > afterMs) return due;
      }
    }
  }
  return undefined;
}

function dayOf(ms: number): { month: number; date: number; weekday: number } {
  const day = new Date(ms);
  return { month: day.getUTCMonth() + 1, date: day.getUTCDate(), weekday: day.getUTCDay() };
}

/** When the clock on the wall shows this. Of an hour that the clock leaves out the time after it. */
function momentOf(local: number, wall: (ms: number) => number): number {
  const guess = local - (wall(local) - local);
  return guess + (local - wall(guess));
}

/** What the clock on the wall shows at a moment, in milliseconds as if it were UTC; `undefined` for a zone that is none. */
function wallClock(timeZone: string): ((ms: number) => number) | undefined {
  if (timeZone === "UTC" || timeZone === "Etc/UTC") return (ms) => ms;
  try {
    const parts = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" } as const;
    const format = new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", calendar: "iso8601", ...parts });
    return (ms) => {
      const shown = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
      const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = Object.keys(parts).map((part) => shown.get(part as never));
      return Date.UTC(year, month - 1, day, hour, minute, second);
    };
  } catch {
    return undefined;
  }
}

function parseSchedule(schedule: string): Schedule | undefined {
  if (schedule.length > MOST_CHARS) return undefined;
  const text = schedule.trim().toLowerCase();
  const fields = (MACROS.get(text) ?? text).split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute = "", hour = "", date = "", month = "", weekday = ""] = fields;
  const minutes = parseField(minute, { from: 0, to: 59 });
  const hours = parseField(hour, { from: 0, to: 23 });
  const dates = parseField(date, { from: 1, to: 31 });
  const months = parseField(month, { from: 1, to: 12, names: MONTHS, firstName: 1 });
  const weekdays = parseField(weekday, { from: 0, to: 7, names: DAYS, firstName: 0 });
  if (!minutes || !hours || !dates || !months || !weekdays) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  // As cron has it: of the two days both must fit only where one of them is open.
  const isOpen = [date, weekday].some((field) => field.startsWith("*") || field.startsWith("?"));
  return {
    minutes,
    hours,
    isDay: (day) => {
      const [byDate, byWeekday] = [dates.has(day.date), weekdays.has(day.weekday)];
      return months.has(day.month) && (isOpen ? byDate && byWeekday : byDate || byWeekday);
    },
  };
}

interface FieldRange {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
  readonly firstName?: number;
}

/** Numbers of a field, in their order; `undefined` when it is none. */
function parseField(field: string, range: FieldRange): Set<number> | undefined {
  const numbers: number[] = [];
  for (const part of field.split(",")) {
    const match = /^(\*|\?|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part);
    if (match === null) return undefined;
    const [, all = "", first = "", last, every] = match;
    const step = every === undefined ? 1 : Number(every);
    const isAll = all === "*" || all === "?";
    const from = isAll ? range.from : numberOf(first, range);
    const to = isAll ? range.to : last === undefined ? (every === undefined ? from : range.to) : numberOf(last, range);
    if (from === undefined || to === undefined || step < 1 || from < range.from || to > range.to || from > to) return undefined;
    for (let number = from; number <= to; number += step) numbers.push(number);
  }
  return new Set(numbers.toSorted((a, b) => a - b));
}

function numberOf(text: string, { names = [], firstName = 0 }: FieldRange): number | undefined {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const index = names.indexOf(text);
  return index < 0 ? undefined : index + firstName;
}
