import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { RequestPace } from "./request-pace.ts";

/** When each of so many turns was given, by a clock that can be put back. */
async function turns(count: number, clock: ManualClock, pace: RequestPace): Promise<number[]> {
  const times: number[] = [];
  const startMs = clock.now();
  const all = Array.from({ length: count }, async () => {
    await pace.turn(new AbortController().signal);
    times.push(clock.now() - startMs);
  });
  await clock.elapse(10_000);
  await Promise.all(all);
  return times;
}

test("turns are given evenly, without bursts, in order", async () => {
  const clock = new ManualClock();
  expect(await turns(5, clock, new RequestPace(clock, 20))).toEqual([0, 50, 100, 150, 200]);
});

test("a quiet time saves nothing up", async () => {
  const clock = new ManualClock();
  const pace = new RequestPace(clock, 20);
  await turns(3, clock, pace);
  await clock.elapse(3_600_000);
  expect(await turns(3, clock, pace)).toEqual([0, 50, 100]);
});

test("with a burst, so many turns come at once, the rest evenly, and a rest fills it again", async () => {
  const clock = new ManualClock();
  const pace = new RequestPace(clock, 20, 3);
  expect(await turns(6, clock, pace)).toEqual([0, 0, 0, 50, 100, 150]);
  await clock.elapse(3_600_000);
  expect(await turns(4, clock, pace)).toEqual([0, 0, 0, 50]);
});

test("an aborted request does not wait", async () => {
  const clock = new ManualClock();
  const pace = new RequestPace(clock, 1);
  const leave = new AbortController();
  await pace.turn(leave.signal);
  const waiting = pace.turn(leave.signal);
  leave.abort();
  await waiting;
  clock.assertIdle();
  expect(clock.pending).toBe(0);
});

test("a clock that was set back by an hour delays no request for an hour", async () => {
  let nowMs = 1_000_000_000;
  const clock = new ManualClock();
  const jumping = { now: () => nowMs, after: clock.after.bind(clock) };
  const pace = new RequestPace(jumping, 20);
  await pace.turn(new AbortController().signal);
  nowMs -= 3_600_000;
  await pace.turn(new AbortController().signal);
  expect(clock.pending).toBe(0);
});
