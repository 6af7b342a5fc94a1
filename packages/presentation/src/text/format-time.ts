import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timeZone, type TimeZone } from "./time-zone.ts";

const WHOLE = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
} as const;
const IN_ZONE: Readonly<Record<TimeZone, Intl.DateTimeFormatOptions>> = { local: {}, utc: { timeZone: "UTC" } };
/** What of a time is written. */
const PARTS = {
  whole: WHOLE,
  date: {},
  day: { day: "numeric", month: "short" },
  dayAndYear: { day: "numeric", month: "short", year: "numeric" },
} as const;
/** Made once for each zone: that costs far more than to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const UNITS = [
  { seconds: 86_400, suffix: "d" },
  { seconds: 3_600, suffix: "h" },
  { seconds: 60, suffix: "min" },
  { seconds: 1, suffix: "s" },
] as const;

/** Milliseconds since the epoch of a protobuf timestamp. */
export function millisOf(time: Timestamp): number {
  return Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
}

/** `4 min`, `3 h`, `12 s`: the largest whole unit; never negative. */
export function formatAge(fromMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - fromMs) / 1000));
  const unit = UNITS.find((each) => seconds >= each.seconds) ?? UNITS[3];
  return `${Math.floor(seconds / unit.seconds)} ${unit.suffix}`;
}

/**
 * `11:58`, local time, or `11:58 UTC` for users who have chosen so; with the day in front when that is not today. While the current time is
 * unknown (0: in HTML, where the zone of the reader is unknown too), `2026-01-31 11:58 UTC`.
 */
export function formatClock(ms: number, nowMs: number): string {
  if (nowMs === 0) return universal(ms, "minute");
  return `${dayPrefix(ms, nowMs)}${clock(ms, false)}`;
}

/** `11:58:20`, as `formatClock` in the chosen zone; with the day in front when that is not today; in HTML as `formatClock`. */
export function formatSecond(ms: number, nowMs: number): string {
  if (nowMs === 0) return universal(ms, "second");
  return `${dayPrefix(ms, nowMs)}${clock(ms, true)}`;
}

/** `11:58:20.042` in the chosen zone, for a column of many; with the day in front when that is not today. */
export function formatMillisecond(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const time = timeZone() === "utc" ? date.toISOString().slice(11, 19) : clock(ms, true);
  return `${dayPrefix(ms, nowMs)}${time}.${String(date.getUTCMilliseconds()).padStart(3, "0")}`;
}

/** Full date and time with their zone, the chosen one, for titles; in HTML (`nowMs` 0) as `formatClock`. */
export function formatAbsolute(ms: number, nowMs: number): string {
  if (nowMs === 0) return universal(ms, "second");
  return formatOf("whole").format(ms);
}

/** In the chosen zone. */
function formatOf(parts: keyof typeof PARTS): Intl.DateTimeFormat {
  const zone = timeZone();
  const name = `${parts} ${zone}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", { ...PARTS[parts], ...IN_ZONE[zone] });
  formats.set(name, made);
  return made;
}

function universal(ms: number, to: "minute" | "second"): string {
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  return `${day} ${time.slice(0, to === "minute" ? 5 : 8)} UTC`;
}

function clock(ms: number, seconds: boolean): string {
  const date = new Date(ms);
  if (timeZone() === "utc") return `${date.toISOString().slice(11, seconds ? 19 : 16)} UTC`;
  const parts = [date.getHours(), date.getMinutes(), ...(seconds ? [date.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function dayPrefix(ms: number, nowMs: number): string {
  const dayOf = (atMs: number): string => formatOf("date").format(atMs);
  const [day, today] = [dayOf(ms), dayOf(nowMs)];
  if (day === today) return "";
  const isThisYear = day.slice(-4) === today.slice(-4);
  return `${formatOf(isThisYear ? "day" : "dayAndYear").format(ms)}, `;
}
