import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { ConnectionLimit } from "./connection-limit.ts";
import { TokenBucket } from "./token-bucket.ts";

const never = new AbortController().signal;

/** Takes, and tells how many have had their turn. */
function takers(bucket: TokenBucket, count: number): { done: number } {
  const result = { done: 0 };
  for (let index = 0; index < count; index += 1) void bucket.take(never).then(() => (result.done += 1));
  return result;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a bucket lets its burst through at once and the rest one by one", async () => {
  const clock = new ManualClock();
  const result = takers(new TokenBucket(clock, { perSecond: 10, burst: 3 }), 5);
  await settled();
  expect(result.done).toBe(3);
  clock.advance(100);
  await settled();
  expect(result.done).toBe(4);
  clock.advance(100);
  await settled();
  expect(result.done).toBe(5);
});

test("a bucket that rested is full again, and never fuller", async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket(clock, { perSecond: 10, burst: 2 });
  takers(bucket, 2);
  clock.advance(60_000);
  const result = takers(bucket, 3);
  await settled();
  expect(result.done).toBe(2);
});

test("whoever leaves does not wait", async () => {
  const bucket = new TokenBucket(new ManualClock(), { perSecond: 1, burst: 1 });
  await bucket.take(never);
  await expect(bucket.take(AbortSignal.abort())).resolves.toBeUndefined();
});

test("a token opens so many connections a minute, and hears when it may again", () => {
  const clock = new ManualClock();
  const limit = new ConnectionLimit(clock, 2);
  limit.take("a");
  limit.take("a");
  clock.advance(15_500);
  expect(() => limit.take("a")).toThrow(expect.objectContaining({ reason: "rate_limited", retryAfterSeconds: 45 }));
  limit.take("b");
  clock.advance(44_500);
  expect(() => limit.take("a")).not.toThrow();
});
