import { expect, test } from "vitest";
import { ClockOffset } from "./clock-offset.ts";

test("W22: the offset is what most messages say: one that was held up and a laptop that slept do not count", () => {
  const clock = new ClockOffset();
  expect(clock.offsetMs).toBe(0);
  for (const delayMs of [20, 25, 3_600_000, 22, 9_000]) clock.learn(1_000, 1_000 + 30_000 + delayMs);
  expect(clock.offsetMs).toBe(30_025);
});

test("W22: a clock that was set right is followed after some messages", () => {
  const clock = new ClockOffset();
  for (let message = 0; message < 20; message += 1) clock.learn(message, message - 60_000);
  for (let message = 0; message < 5; message += 1) clock.learn(message, message + 10);
  expect(clock.offsetMs).toBe(10);
});
