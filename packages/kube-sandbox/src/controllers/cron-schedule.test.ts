import { expect, test } from "vitest";

import { nextDue, parseCronSchedule } from "./cron-schedule.ts";

function next(schedule: string, after: string): string | undefined {
  const parsed = parseCronSchedule(schedule);
  const due = parsed && nextDue(parsed, Date.parse(after));
  return due === undefined ? undefined : new Date(due).toISOString();
}

test.each([
  ["* * * * *", "2026-03-01T10:00:30Z", "2026-03-01T10:01:00.000Z"],
  ["*/15 2 * * *", "2026-03-01T02:46:00Z", "2026-03-02T02:00:00.000Z"],
  ["0 0 1 1 *", "2026-03-01T00:00:00Z", "2027-01-01T00:00:00.000Z"],
  ["30 8 * * mon-fri", "2026-03-06T09:00:00Z", "2026-03-09T08:30:00.000Z"],
  ["0 0 13 * 5", "2026-03-02T00:00:00Z", "2026-03-06T00:00:00.000Z"],
  ["@hourly", "2026-03-01T10:59:59Z", "2026-03-01T11:00:00.000Z"],
])("%s after %s is due at %s", (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test("a schedule that never comes is never due", () => {
  expect(next("0 0 31 2 *", "2026-03-01T00:00:00Z")).toBeUndefined();
});

test.each(["", "* * * *", "61 * * * *", "a * * * *", "5-1 * * * *"])("%j is no schedule", (text) => {
  expect(parseCronSchedule(text)).toBeUndefined();
});
