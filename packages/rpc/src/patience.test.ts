import { expect, test } from "vitest";

import { Patience } from "./patience.ts";

const random = (): number => 0.5;

test("waits as long as Retry-After, plus a random part that grows", () => {
  const of = new Patience({ maxMs: 60_000, random });
  expect(["1", "1", "1", "8", "0"].map((retryAfter) => of.nextMs(retryAfter))).toEqual([1_500, 2_000, 3_000, 12_000, 4_000]);
});

test("what lasts longer than its patience is not waited for, and neither is what says no time", () => {
  expect(new Patience({ maxMs: 3_000, random }).nextMs("3")).toBeUndefined();
  const of = new Patience({ maxMs: 4_000, random });
  expect([of.nextMs("1"), of.nextMs("1"), of.nextMs("1")]).toEqual([1_500, 2_000, undefined]);
  for (const retryAfter of [undefined, "", "soon", "-1", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9"])
    expect(of.nextMs(retryAfter)).toBeUndefined();
});
