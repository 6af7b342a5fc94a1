import { expect, test } from "vitest";

import { nextRun } from "./batch.ts";

function next(schedule: string, after: string, timeZone = "UTC"): string | undefined {
  const due = nextRun(schedule, { timeZone, afterMs: Date.parse(after) });
  return due === undefined ? undefined : new Date(due).toISOString();
}

test.each([
  ["* * * * *", "2026-01-31T12:00:00Z", "2026-01-31T12:01:00.000Z"],
  ["*/15 8-17 * * mon-fri", "2026-01-30T17:50:00Z", "2026-02-02T08:00:00.000Z"],
  ["0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["0 12 1,15 * *", "2026-01-15T12:00:00Z", "2026-02-01T12:00:00.000Z"],
  ["0 0 13 * 5", "2026-01-31T00:00:00Z", "2026-02-06T00:00:00.000Z"],
  ["5/20 * * * *", "2026-01-31T12:26:00Z", "2026-01-31T12:45:00.000Z"],
  ["0 0 * * 7", "2026-01-31T12:00:00Z", "2026-02-01T00:00:00.000Z"],
  ["@hourly", "2026-01-31T12:00:00Z", "2026-01-31T13:00:00.000Z"],
  ["@yearly", "2026-01-31T12:00:00Z", "2027-01-01T00:00:00.000Z"],
  ["0 0 */2 * 1", "2026-01-31T12:00:00Z", "2026-02-01T00:00:00.000Z"],
  ["0 6 * jan ?", "2026-01-31T12:00:00Z", "2027-01-01T06:00:00.000Z"],
])("%s after %s is due %s", (schedule, after, expected) => {
  expect(next(schedule, after)).toBe(expected);
});

test("a schedule of a time zone is due by the clock on its walls", () => {
  expect(next("30 9 * * *", "2026-01-31T12:00:00Z", "Europe/Berlin")).toBe("2026-02-01T08:30:00.000Z");
  expect(next("30 9 * * *", "2026-07-31T12:00:00Z", "Europe/Berlin")).toBe("2026-08-01T07:30:00.000Z");
  expect(next("0 23 * * *", "2026-01-31T12:00:00Z", "America/New_York")).toBe("2026-02-01T04:00:00.000Z");
});

test("of an hour that the clock shows twice, the first is due", () => {
  expect(next("30 2 * * *", "2026-10-24T12:00:00Z", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
});

test.each([
  "",
  "* * * *",
  "60 * * * *",
  "* * * * * *",
  "a b c d e",
  "*/0 * * * *",
  "0 0 31 2 *",
  "5-1 * * * *",
  "@every 5m",
  "* ".repeat(9_999),
])("the schedule %j has no next run", (schedule) => {
  expect(next(schedule, "2026-01-31T12:00:00Z")).toBeUndefined();
});

test("a schedule in an invalid time zone has no next run", () => {
  expect(next("* * * * *", "2026-01-31T12:00:00Z", "Moon/Sea")).toBeUndefined();
});
