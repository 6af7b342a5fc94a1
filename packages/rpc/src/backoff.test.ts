import fc from "fast-check";
import { expect, test } from "vitest";

import { Backoff, Patience } from "./backoff.ts";

test("M9: every delay is a random part of a doubling, capped bound, and at least a tenth of it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 40 }),
      (initialMs, maxMs, numbers) => {
        let at = 0;
        const backoff = new Backoff({ initialMs, maxMs, random: () => numbers[at] ?? 0 });
        for (; at < numbers.length; at += 1) {
          const bound = Math.min(maxMs, initialMs * 2 ** at);
          const delayMs = backoff.nextMs();
          expect(delayMs).toBe(Math.round(Math.max(bound * 0.1, (numbers[at] ?? 0) * bound)));
          expect(Number.isInteger(delayMs)).toBe(true);
        }
      },
    ),
  );
});

test("after a success it begins again", () => {
  const backoff = new Backoff({ initialMs: 100, maxMs: 10_000, random: () => 0 });
  expect([backoff.nextMs(), backoff.nextMs(), backoff.nextMs()]).toEqual([10, 20, 40]);
  backoff.reset();
  expect(backoff.nextMs()).toBe(10);
});

test("does not overflow however often it fails", () => {
  const backoff = new Backoff({ initialMs: 500, maxMs: 20_000, random: () => 0.5 });
  for (let count = 0; count < 5_000; count += 1) backoff.nextMs();
  expect(backoff.nextMs()).toBe(10_000);
});

const random = (): number => 0.5;

test("waits as long as Retry-After, plus a random part that grows", () => {
  const of = new Patience({ maxMs: 60_000, random });
  expect(["1", "1", "1", "8", "0"].map((retryAfter) => of.nextMs(retryAfter))).toEqual([1_500, 2_000, 3_000, 12_000, 4_000]);
});

test("a wait beyond the total is not made, and neither is one without a valid time", () => {
  expect(new Patience({ maxMs: 3_000, random }).nextMs("3")).toBeUndefined();
  const of = new Patience({ maxMs: 4_000, random });
  expect([of.nextMs("1"), of.nextMs("1"), of.nextMs("1")]).toEqual([1_500, 2_000, undefined]);
  for (const retryAfter of [undefined, "", "soon", "-1", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9"])
    expect(of.nextMs(retryAfter)).toBeUndefined();
});
