import fc from "fast-check";
import { expect, test } from "vitest";

import { ByteBudget } from "./byte-budget.ts";

test("XS4: a part is taken from its whole, and given back", () => {
  const whole = new ByteBudget(100);
  const part = whole.part();
  expect(part.take(40)).toBe(true);
  expect(whole.usedBytes).toBe(40);
  part.give(10);
  expect([part.usedBytes, whole.usedBytes]).toEqual([30, 30]);
});

test("XS4: what does not fit is not taken in part", () => {
  const whole = new ByteBudget(100);
  const part = whole.part(20);
  expect(part.take(21)).toBe(false);
  expect([part.usedBytes, whole.usedBytes]).toEqual([0, 0]);
});

test("XS4, T14: a part that takes all it can leaves as much to the parts that come after it", () => {
  const whole = new ByteBudget(1_024);
  const greedy = Array.from({ length: 5 }, () => whole.part());
  const held = greedy.map((part) => {
    while (part.take(1));
    return part.usedBytes;
  });
  expect(held).toEqual([512, 256, 128, 64, 32]);
  expect(whole.part().take(16)).toBe(true);
});

test("XS4: a view that ends gives back what its kinds hold, in any order of closing", () => {
  const [whole, other] = [new ByteBudget(100), new ByteBudget(100)];
  for (const [budget, inner] of [
    [whole, true],
    [other, false],
  ] as const) {
    const view = budget.part();
    const kind = view.part();
    kind.take(20);
    if (inner) kind.close();
    view.close();
    kind.give(20);
    expect([budget.usedBytes, kind.take(1), view.take(1)]).toEqual([0, false, false]);
  }
});

test("XS4: whatever is taken, given and closed, a whole holds what its parts hold and never more than its limit", () => {
  const step = fc.record({ part: fc.nat(3), what: fc.constantFrom("take", "give", "close"), bytes: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const whole = new ByteBudget(100);
      const parts = [whole.part(), whole.part(70), whole.part(), whole.part(5)];
      for (const { part, what, bytes } of steps) {
        const on = parts[part];
        if (what === "take") on?.take(bytes);
        else if (what === "give") on?.give(bytes);
        else on?.close();
        const sum = parts.reduce((total, { usedBytes }) => total + usedBytes, 0);
        expect(whole.usedBytes).toBe(sum);
        expect(sum).toBeLessThanOrEqual(100);
        for (const { usedBytes, limitBytes } of parts) expect(usedBytes).toBeLessThanOrEqual(limitBytes);
      }
    }),
  );
});
