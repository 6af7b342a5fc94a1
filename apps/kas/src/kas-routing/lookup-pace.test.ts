import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { LookupPace } from "./lookup-pace.ts";

let clock: ManualClock;
let pace: LookupPace;
let ran: number[];

beforeEach(() => {
  clock = new ManualClock();
  pace = new LookupPace({ perSecond: 100, burst: 10 }, clock);
  ran = [];
});

test("M5: so many at once, then so many per second, in order", () => {
  for (let id = 0; id < 200; id += 1) pace.run(() => ran.push(id));
  expect(ran).toHaveLength(10);
  clock.advance(1_000);
  expect(ran.length).toBeGreaterThanOrEqual(109);
  expect(ran.length).toBeLessThanOrEqual(111);
  clock.advance(2_000);
  expect(ran).toEqual(Array.from({ length: 200 }, (_, id) => id));
  clock.assertIdle();
});

test("M5: a cancelled look-up takes nothing from those behind it", () => {
  const stops = Array.from({ length: 1_000 }, (_, id) => pace.run(() => ran.push(id)));
  for (const stop of stops.slice(10, 999)) stop();
  clock.advance(10);
  expect(ran.at(-1)).toBe(999);
  clock.assertIdle();
});

test("M5: when the last one gives up no timer is left, and a clock that is set back stops nothing", () => {
  const stops = Array.from({ length: 11 }, () => pace.run(() => undefined));
  for (const stop of stops) stop();
  clock.assertIdle();
  pace.run(() => ran.push(1));
  clock.advance(1_000);
  expect(ran).toEqual([1]);
});
