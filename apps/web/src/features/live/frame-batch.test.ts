import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FrameBatch } from "./frame-batch.ts";

/** Without frames a batch waits this long. */
const NO_FRAME_MS = 100;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("the first request is flushed with the next frame, and many within the pace are one flush", () => {
  const flushes: number[] = [];
  const began = performance.now();
  const batch = new FrameBatch(
    () => flushes.push(performance.now() - began),
    () => 400,
  );
  batch.request();
  batch.request();
  vi.advanceTimersByTime(NO_FRAME_MS);
  expect(flushes).toEqual([NO_FRAME_MS]);
  for (let ms = 0; ms < 5_000; ms += 10) {
    batch.request();
    vi.advanceTimersByTime(10);
  }
  expect(flushes.length).toBeGreaterThan(8);
  const gaps = flushes.slice(1).map((at, index) => at - (flushes[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(400);
});

test("after a quiet time a request is flushed at once again", () => {
  let flushes = 0;
  const batch = new FrameBatch(
    () => (flushes += 1),
    () => 400,
  );
  batch.request();
  vi.advanceTimersByTime(10_000);
  batch.request();
  vi.advanceTimersByTime(NO_FRAME_MS);
  expect(flushes).toBe(2);
});
