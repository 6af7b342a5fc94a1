import fc from "fast-check";
import { expect, test } from "vitest";

import { Backoff } from "./backoff.ts";

test("every delay lies between half of a doubling, capped bound and the bound", () => {
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
          expect(delayMs).toBeGreaterThanOrEqual(bound / 2);
          expect(delayMs).toBeLessThanOrEqual(bound);
        }
      },
    ),
  );
});

test("after a success it begins again", () => {
  const backoff = new Backoff({ initialMs: 100, maxMs: 10_000, random: () => 0 });
  expect([backoff.nextMs(), backoff.nextMs(), backoff.nextMs()]).toEqual([50, 100, 200]);
  backoff.reset();
  expect(backoff.nextMs()).toBe(50);
});

test("does not overflow however often it fails", () => {
  const backoff = new Backoff({ initialMs: 500, maxMs: 20_000, random: () => 0.5 });
  for (let count = 0; count < 5_000; count += 1) backoff.nextMs();
  expect(backoff.nextMs()).toBe(15_000);
});
