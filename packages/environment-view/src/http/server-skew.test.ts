import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";

import { ServerSkew } from "./server-skew.ts";

const MINUTE_MS = 60_000;

let clock: ManualClock;
let skew: ServerSkew;
beforeEach(() => {
  clock = new ManualClock();
  skew = new ServerSkew(clock);
});

/** An answer of a server whose clock is ahead, after a while on its way. */
function answer(aheadMs: number, tripMs = 20): void {
  const sentAtMs = clock.now();
  clock.advance(tripMs);
  skew.heard(new Date(sentAtMs + tripMs / 2 + aheadMs).toUTCString(), sentAtMs);
}

describe("a clock that is ten minutes wrong", () => {
  test.each([10 * MINUTE_MS, -10 * MINUTE_MS])("is known by %d ms once two answers agree", (aheadMs) => {
    answer(aheadMs);
    expect(skew.aheadMs).toBeUndefined();
    answer(aheadMs);
    expect(Math.abs((skew.aheadMs ?? 0) - aheadMs)).toBeLessThanOrEqual(510);
  });

  test("that is set right is right at once, when two answers say so", () => {
    for (const aheadMs of [10 * MINUTE_MS, 10 * MINUTE_MS, 0, 0]) answer(aheadMs);
    expect(skew.aheadMs).toBe(0);
  });
});

test("the fastest answer counts, and after ten minutes a new one", () => {
  answer(10 * MINUTE_MS);
  answer(10 * MINUTE_MS);
  const fast = skew.aheadMs;
  answer(10 * MINUTE_MS + 4_000, 30_000);
  expect(skew.aheadMs).toBe(fast);
  clock.advance(11 * MINUTE_MS);
  answer(10 * MINUTE_MS + 4_000, 30_000);
  expect(skew.aheadMs).not.toBe(fast);
});

test("what is within a second is the same time", () => {
  for (let times = 0; times < 20; times += 1) answer(times * 20, 100);
  expect(skew.aheadMs).toBe(0);
});

test("one answer that lies changes nothing, nor does any number of lies that differ", () => {
  answer(0);
  for (let times = 1; times < 20; times += 1) {
    answer(times * 10 * MINUTE_MS);
    expect(skew.aheadMs).toBe(0);
  }
});

test("a date that is none, is missing, is a day away or has a megabyte is not heard", () => {
  const dates = [
    undefined,
    "",
    "yesterday",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "9".repeat(1 << 20),
    `${new Date(clock.now()).toUTCString()}${" ".repeat(99)}`,
  ];
  for (const date of [...dates, ...dates]) skew.heard(date, clock.now());
  expect(skew.aheadMs).toBeUndefined();
});

test("an answer without a time between two that agree takes nothing from them", () => {
  answer(10 * MINUTE_MS);
  skew.heard(undefined, clock.now());
  answer(10 * MINUTE_MS);
  expect(skew.aheadMs).toBeGreaterThan(9 * MINUTE_MS);
});

test("whatever is heard, it is a number of at most a day", () => {
  const heard = fc.record({ date: fc.option(fc.oneof(fc.string(), fc.date().map(String)), { nil: undefined }), sentAgoMs: fc.integer() });
  fc.assert(
    fc.property(fc.array(heard), (all) => {
      for (const { date, sentAgoMs } of all) skew.heard(date, clock.now() - sentAgoMs);
      expect(Math.abs(skew.aheadMs ?? 0)).toBeLessThanOrEqual(24 * 60 * MINUTE_MS);
    }),
  );
});
