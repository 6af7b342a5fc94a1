import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { RememberedRefusal } from "./remembered-refusal.ts";

test("a refusal is remembered for ten minutes: then the other side may have become newer", () => {
  const clock = new ManualClock();
  const refusal = new RememberedRefusal(clock);
  expect(refusal.isRemembered).toBe(false);
  refusal.remember();
  clock.advance(10 * 60_000 - 1);
  expect(refusal.isRemembered).toBe(true);
  clock.advance(1);
  expect(refusal.isRemembered).toBe(false);
});
