import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { KeyedRateLimit } from "./keyed-rate-limit.ts";

test("a key has its burst at once and its rate from then on, and another key its own", () => {
  const clock = new ManualClock();
  const limit = new KeyedRateLimit(clock, { perMinute: 30, burst: 3, maxKeys: 10 });
  expect([1, 2, 3, 4].map(() => limit.take("a"))).toEqual([true, true, true, false]);
  expect(limit.waitMs("a")).toBe(2_000);
  expect(limit.take("b")).toBe(true);
  clock.advance(2_000);
  expect([1, 2].map(() => limit.take("a"))).toEqual([true, false]);
});

test("what is spent beyond the burst is no debt", () => {
  const clock = new ManualClock();
  const limit = new KeyedRateLimit(clock, { perMinute: 60, burst: 2, maxKeys: 10 });
  for (let index = 0; index < 1_000; index += 1) limit.spend("a");
  expect(limit.waitMs("a")).toBe(1_000);
});

test("the key used longest ago is forgotten, so that a million addresses take no memory", () => {
  const limit = new KeyedRateLimit(new ManualClock(), { perMinute: 1, burst: 1, maxKeys: 2 });
  for (const key of ["a", "b", "a", "c"]) limit.take(key);
  expect(["a", "b", "c"].map((key) => limit.waitMs(key) > 0)).toEqual([true, false, true]);
});
