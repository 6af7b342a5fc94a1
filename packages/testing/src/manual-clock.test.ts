import { expect, test } from "vitest";

import { ManualClock } from "./manual-clock.ts";

test("timers fire in order of time, each at its own time, and those set meanwhile too", () => {
  const clock = new ManualClock(0);
  const fired: [string, number][] = [];
  clock.after(20, () => fired.push(["late", clock.now()]));
  clock.after(10, () => {
    fired.push(["early", clock.now()]);
    clock.after(5, () => fired.push(["meanwhile", clock.now()]));
  });
  clock.advance(19);
  expect(fired).toEqual([
    ["early", 10],
    ["meanwhile", 15],
  ]);
  expect(clock.now()).toBe(19);
  clock.advance(1);
  expect(fired.at(-1)).toEqual(["late", 20]);
});

test("a cancelled timer never fires, one that is left over is reported", () => {
  const clock = new ManualClock();
  let fired = 0;
  clock.after(1, () => (fired += 1))();
  clock.advance(1);
  expect([fired, clock.pending]).toEqual([0, 0]);
  clock.assertIdle();
  clock.after(1, () => (fired += 1));
  expect(() => clock.assertIdle()).toThrow("1 timers were left behind");
});

test("promises settle between two timers of elapse", async () => {
  const clock = new ManualClock(0);
  const seen: number[] = [];
  clock.after(10, () => {
    void Promise.resolve().then(() => clock.after(10, () => seen.push(clock.now())));
  });
  await clock.elapse(30);
  expect(seen).toEqual([20]);
});

test("time that passes in steps does not run past a deadline before an answer that takes real time", async () => {
  const clock = new ManualClock(0);
  const seen: string[] = [];
  clock.after(30_000, () => seen.push("deadline"));
  setTimeout(() => seen.push("answer"), 50);
  await clock.advanceUntil(() => seen.length > 0);
  expect(seen).toEqual(["answer"]);
  await clock.advanceUntil(() => seen.length > 1, 1_000);
  expect(seen).toEqual(["answer", "deadline"]);
});
