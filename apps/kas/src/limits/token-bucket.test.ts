import { ManualClock, settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { TokenBucket } from "./token-bucket.ts";

const never = new AbortController().signal;

/** Takes, and tells how many have had their turn, and how many were refused. */
function takers(bucket: TokenBucket, count: number, maxWaitMs?: number): { done: number; refused: number } {
  const result = { done: 0, refused: 0 };
  for (let index = 0; index < count; index += 1)
    void bucket.take(never, maxWaitMs).then(
      () => (result.done += 1),
      () => (result.refused += 1),
    );
  return result;
}

test("a bucket lets its burst through at once and the rest one by one", async () => {
  const clock = new ManualClock();
  const result = takers(new TokenBucket(clock, { perSecond: 10, burst: 3 }), 5);
  await settle();
  expect(result.done).toBe(3);
  await clock.elapse(100);
  expect(result.done).toBe(4);
  await clock.elapse(100);
  expect(result.done).toBe(5);
});

test("a bucket that rested is full again, and never fuller", async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { perSecond: 10, burst: 2 });
  takers(bucket, 2);
  clock.advance(60_000);
  const result = takers(bucket, 3);
  await settle();
  expect(result.done).toBe(2);
});

test("KB4: a caller who has left takes nothing and makes no call", async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 });
  await expect(bucket.take(AbortSignal.abort())).rejects.toMatchObject({ reason: "cancelled" });
  expect(takers(bucket, 1)).toEqual({ done: 0, refused: 0 });
  await settle();
  clock.assertIdle();
});

test("KB4: a caller that leaves the queue gives its place to the next", async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 });
  await bucket.take(never);
  const leaving = new AbortController();
  const gone = bucket.take(leaving.signal);
  const staying = takers(bucket, 1);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ reason: "cancelled" });
  await clock.elapse(1_000);
  expect(staying.done).toBe(1);
  clock.assertIdle();
});

test("KB4: who could not have a turn in time is refused at once, with a time to come back, and leaves no debt behind", async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { perSecond: 50, burst: 250 });
  const storm = takers(bucket, 3_000, 20_000);
  await settle();
  expect(storm).toEqual({ done: 250, refused: 1_750 });
  await expect(bucket.take(never, 20_000)).rejects.toMatchObject({ reason: "gitaly_unavailable", retryAfterSeconds: expect.any(Number) });
  await clock.elapse(20_000);
  expect(storm.done).toBe(1_250);
  const after = takers(bucket, 1);
  await clock.elapse(20);
  expect(after.done).toBe(1);
});

test("KB4: a turn that was not used is there for the next", async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 });
  await bucket.take(never);
  const waiting = takers(bucket, 1);
  bucket.giveBack();
  await settle();
  expect(waiting.done).toBe(1);
});
