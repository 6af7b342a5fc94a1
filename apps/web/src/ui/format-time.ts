import type { Timestamp } from "@bufbuild/protobuf/wkt";

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

/** `11:58`, local time; with the day in front when that is not today. */
export function formatClock(ms: number, nowMs: number): string {
  return `${dayPrefix(ms, nowMs)}${clock(ms, false)}`;
}

/** `11:58:20`, local time; with the day in front when that is not today. */
export function formatSecond(ms: number, nowMs: number): string {
  return `${dayPrefix(ms, nowMs)}${clock(ms, true)}`;
}

/** Full local date and time, for titles. */
export function formatAbsolute(ms: number): string {
  return new Date(ms).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

function clock(ms: number, seconds: boolean): string {
  const date = new Date(ms);
  const parts = [date.getHours(), date.getMinutes(), ...(seconds ? [date.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function dayPrefix(ms: number, nowMs: number): string {
  const date = new Date(ms);
  const now = new Date(nowMs);
  if (date.toDateString() === now.toDateString()) return "";
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year })}, `;
}
