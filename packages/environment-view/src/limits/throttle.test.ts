import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { Throttle } from "./throttle.ts";

const LIMITS = { intervalMs: 250, burst: 3, gapMs: 20 };
const START_MS = 1_000_000;

let clock: ManualClock;
let ranAt: number[];
let throttle: Throttle;

beforeEach(() => {
  clock = new ManualClock(START_MS);
  ranAt = [];
  throttle = new Throttle(clock, LIMITS, () => ranAt.push(clock.now() - START_MS));
});

/** Asks every so many milliseconds for a while. */
function ask(everyMs: number, forMs: number): void {
  for (let at = 0; at < forMs; at += everyMs) {
    throttle.ask();
    clock.advance(everyMs);
  }
}

test("what changes alone is done at once, however often", () => {
  for (let round = 0; round < 20; round += 1) {
    clock.advance(250);
    throttle.ask();
    clock.advance(0);
  }
  expect(ranAt).toEqual(Array.from({ length: 20 }, (_, index) => 250 * (index + 1)));
});

test("a change right after another one does not wait for the interval, only for what comes together with it", () => {
  throttle.ask();
  clock.advance(5);
  for (let round = 0; round < 10; round += 1) throttle.ask();
  clock.advance(100);
  expect(ranAt).toEqual([0, 20]);
});

test("of a steady stream of changes some are done at once, then one each interval", () => {
  ask(1, 2_000);
  expect(ranAt.slice(0, 3)).toEqual([0, 20, 40]);
  expect(ranAt.slice(3).every((at, index, all) => index === 0 || at - (all[index - 1] ?? 0) >= 250)).toBe(true);
  expect(ranAt.length).toBe(3 + 2_000 / LIMITS.intervalMs);
});

test("after a burst it takes as many quiet intervals until as many follow each other again", () => {
  ask(1, 1_000);
  clock.advance(750);
  ranAt.length = 0;
  const begin = clock.now() - START_MS;
  ask(1, 100);
  expect(ranAt.map((at) => at - begin)).toEqual([0, 20, 40]);
});

test("nothing runs inside the call, after it was taken back, or twice for two calls", () => {
  throttle.ask();
  expect(ranAt).toEqual([]);
  throttle.stop();
  clock.advance(1_000);
  expect(ranAt).toEqual([]);
  throttle.ask();
  throttle.ask();
  clock.advance(1_000);
  expect(ranAt.length).toBe(1);
});

test("what is in a hurry waits for nothing, also after a burst", () => {
  ask(1, 500);
  ranAt.length = 0;
  const begin = clock.now() - START_MS;
  throttle.hurry();
  clock.advance(0);
  expect(ranAt.map((at) => at - begin)).toEqual([0]);
});

test("a clock that is set back by an hour delays an action by no more than the interval", () => {
  let backMs = 0;
  const jumping = { now: () => clock.now() - backMs, after: (delayMs: number, action: () => void) => clock.after(delayMs, action) };
  let runs = 0;
  throttle = new Throttle(jumping, LIMITS, () => (runs += 1));
  for (let round = 0; round < 5; round += 1) {
    throttle.ask();
    clock.advance(1_000);
  }
  backMs = 3_600_000;
  throttle.ask();
  clock.advance(250);
  expect(runs).toBe(6);
});
