import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { Slots, type Slot } from "./slots.ts";

describe("Slots", () => {
  test("hold what a Set holds, whatever the order of additions and removals", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(20), { nil: undefined }), { maxLength: 60 }), (steps) => {
        const slots = new Slots<number>();
        const expected = new Set<number>();
        const added: Slot<number>[] = [];
        for (const [number, removeAt] of steps.entries()) {
          const leaving = removeAt === undefined ? undefined : added[removeAt % Math.max(1, added.length)];
          const removed = leaving && slots.remove(leaving);
          expect(removed).toBe(leaving && expected.delete(leaving.value));
          if (leaving === undefined) {
            added.push(slots.add(number));
            expected.add(number);
          }
          expect(slots.size).toBe(expected.size);
          expect(slots.count((value) => value % 2 === 0)).toBe([...expected].filter((value) => value % 2 === 0).length);
          for (const slot of added) expect(slots.has(slot)).toBe(expected.has(slot.value));
        }
        expect(slots.values().toSorted((one, other) => one - other)).toEqual([...expected]);
      }),
    );
  });

  test("do not know a slot of others", () => {
    const one = new Slots<string>();
    const slot = one.add("a");
    const other = new Slots<string>();
    other.add("b");
    expect(other.has(slot)).toBe(false);
    expect(other.remove(slot)).toBe(false);
    expect(one.has(slot)).toBe(true);
  });

  test("can be changed while they are read", () => {
    const slots = new Slots<string>();
    const all = ["a", "b", "c"].map((value) => slots.add(value));
    const read: string[] = [];
    for (const value of slots.values()) {
      read.push(value);
      for (const slot of all) slots.remove(slot);
    }
    expect(read).toEqual(["a", "b", "c"]);
    expect(slots.size).toBe(0);
  });
});
