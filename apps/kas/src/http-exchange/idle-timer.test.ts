import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { IdleTimer } from "./idle-timer.ts";

test("fires once, when nothing has happened for the whole time", () => {
  const clock = new ManualClock();
  let fired = 0;
  const timer = new IdleTimer(clock, () => (fired += 1));
  timer.start(1_000);
  for (let step = 0; step < 10; step += 1) {
    clock.advance(900);
    timer.touch();
  }
  clock.advance(999);
  expect(fired).toBe(0);
  clock.advance(1);
  expect(fired).toBe(1);
  clock.advance(10_000);
  expect(fired).toBe(1);
  clock.assertIdle();
});

test("stopped or started anew, the old time does not count", () => {
  const clock = new ManualClock();
  let fired = 0;
  const timer = new IdleTimer(clock, () => (fired += 1));
  timer.start(1_000);
  clock.advance(900);
  timer.start(1_000);
  clock.advance(900);
  timer.stop();
  clock.advance(10_000);
  expect(fired).toBe(0);
  clock.assertIdle();
});

test("a clock that is set back delays it by one time at most", () => {
  const clock = new ManualClock();
  let offsetMs = 0;
  let fired = 0;
  const timer = new IdleTimer({ now: () => clock.now() - offsetMs, after: (ms, action) => clock.after(ms, action) }, () => (fired += 1));
  timer.start(1_000);
  offsetMs = 3_600_000;
  clock.advance(1_999);
  expect(fired).toBe(0);
  clock.advance(1);
  expect(fired).toBe(1);
});
