import { afterEach, expect, test, vi } from "vitest";
import { formatAbsolute, formatAge, formatClock, formatSecond } from "./format-time.ts";
import { setTimeZone } from "./time-zone.ts";

afterEach(() => {
  setTimeZone("local");
  vi.restoreAllMocks();
});

test("ages are the largest whole unit, never negative", () => {
  const ages = [0, 59_999, 60_000, 3_599_000, 3_600_000, 90_000_000].map((ms) => formatAge(0, ms));
  expect(ages).toEqual(["0 s", "59 s", "1 min", "59 min", "1 h", "1 d"]);
  expect(formatAge(10_000, 0)).toBe("0 s");
});

test("times of another day carry the day", () => {
  const noon = new Date(2026, 10, 21, 12, 3, 9).getTime();
  expect(formatSecond(noon, noon)).toBe("12:03:09");
  expect(formatClock(noon, noon + 86_400_000)).toBe("21 Nov, 12:03");
});

test("in HTML the zone of the reader is unknown: times there name their zone, and are the same on the server and in the browser", () => {
  const ms = Date.parse("2026-01-31T11:58:20Z");
  expect(formatClock(ms, 0)).toBe("2026-01-31 11:58 UTC");
  expect([formatSecond(ms, 0), formatAbsolute(ms, 0)]).toEqual(["2026-01-31 11:58:20 UTC", "2026-01-31 11:58:20 UTC"]);
});

test("who has chosen UTC reads every time in UTC, and says so", () => {
  setTimeZone("utc");
  const ms = Date.parse("2026-01-31T23:58:20Z");
  expect([formatClock(ms, ms), formatSecond(ms, ms)]).toEqual(["23:58 UTC", "23:58:20 UTC"]);
  expect(formatClock(ms, ms + 120_000)).toBe("31 Jan, 23:58 UTC");
  expect(formatAbsolute(ms, ms)).toBe("31 Jan 2026, 23:58:20 UTC");
  expect(formatClock(ms, Date.parse("2027-02-01T00:00:00Z"))).toBe("31 Jan 2026, 23:58 UTC");
});

test("formats are made once, however many times are written: to make one costs a hundred times what it costs to use it", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  const locale = vi.spyOn(Date.prototype, "toLocaleDateString");
  const now = new Date(2026, 10, 21, 12).getTime();
  for (let days = 0; days < 400; days += 1) {
    const ms = now - days * 86_400_000;
    expect(`${formatSecond(ms, now)} ${formatClock(ms, now)} ${formatAbsolute(ms, now)}`).not.toBe("");
  }
  expect(made.mock.calls.length).toBeLessThanOrEqual(4);
  expect(locale).not.toHaveBeenCalled();
});
