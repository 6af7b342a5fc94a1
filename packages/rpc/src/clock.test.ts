import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { settlesWithin, sleep, systemClock } from "./clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a sleep ends after its time", async () => {
  const slept = sleep(systemClock, 1_000);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(slept).resolves.toBeUndefined();
});

test("an abort ends a sleep at once, without an error, and leaves no timer", async () => {
  const stop = new AbortController();
  const slept = sleep(systemClock, 1_000, stop.signal);
  stop.abort();
  await expect(slept).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test("with a signal that is aborted already nothing is waited for", async () => {
  await expect(sleep(systemClock, 1_000, AbortSignal.abort())).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test("an action that was taken back never runs", async () => {
  const action = vi.fn<() => void>();
  systemClock.after(10, action)();
  await vi.advanceTimersByTimeAsync(100);
  expect(action).not.toHaveBeenCalled();
});

test("what settles in time, well or not, is in time and leaves no timer", async () => {
  await expect(settlesWithin(Promise.resolve(), 10, systemClock)).resolves.toBe(true);
  await expect(settlesWithin(Promise.reject(new Error("no")), 10, systemClock)).resolves.toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("what does not settle in time is not waited for", async () => {
  const inTime = settlesWithin(new Promise(() => undefined), 10, systemClock);
  await vi.advanceTimersByTimeAsync(10);
  await expect(inTime).resolves.toBe(false);
});
