import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { KeptObjects } from "./kept-objects.ts";
import { weightOf } from "./object-weight.ts";

function object(name: string, size = 0): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text: "x".repeat(size) } };
}

test("XS4: a kind keeps objects until its budget is spent, and says which of the two limits it was", () => {
  const budget = new ByteBudget(10_000);
  const kept = new KeptObjects({ maxObjects: 2, budget });
  expect([kept.keep(object("a", 4_000)), kept.keep(object("b", 9_000)), kept.keep(object("b")), kept.keep(object("c"))]).toEqual([
    undefined,
    "too-large",
    undefined,
    "too-many",
  ]);
  expect(kept.count).toBe(2);
});

test("XS4: an object that grows beyond the budget is no longer kept, and its bytes are free", () => {
  const budget = new ByteBudget(10_000);
  const kept = new KeptObjects({ maxObjects: 5, budget });
  kept.keep(object("a"));
  expect(kept.keep(object("a", 20_000))).toBe("too-large");
  expect([kept.has(object("a")), budget.usedBytes]).toEqual([false, 0]);
});

test("XS4: the same objects read again find the room that they have", () => {
  const budget = new ByteBudget(10_000);
  const kept = new KeptObjects({ maxObjects: 5, budget });
  for (const name of ["a", "b"]) kept.keep(object(name, 4_000));
  const before = budget.usedBytes;
  const refill = kept.refill();
  expect([refill.add(object("a", 4_000)), refill.add(object("b", 4_000))]).toEqual([undefined, undefined]);
  refill.commit();
  expect(budget.usedBytes).toBe(before);
});

test("XS4: deep values and long lists are weighed without a stack", () => {
  let deep: unknown = "x";
  for (let level = 0; level < 200_000; level += 1) deep = [deep];
  expect(weightOf(deep)).toBeGreaterThan(200_000);
  expect(weightOf(Array.from({ length: 300_000 }, () => ({})))).toBeGreaterThan(300_000);
  expect(weightOf("x".repeat(1_000), 10)).toBeGreaterThan(10);
});

test("XS4: whatever comes, leaves and is read again, the budget holds what the kept objects weigh", () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const change = fc.record({ what: fc.constantFrom("keep", "drop", "commit", "abandon", "clear"), name, size: fc.nat(6_000) });
  const list = fc.array(fc.record({ name, size: fc.nat(6_000) }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(change, list), { maxLength: 30 }), (steps) => {
      const budget = new ByteBudget(12_000);
      const kept = new KeptObjects({ maxObjects: 3, budget });
      let weights = new Map<string, number>();
      for (const [{ what, name: on, size }, items] of steps) {
        if (what === "keep") {
          weights.delete(on);
          if (kept.keep(object(on, size)) === undefined) weights.set(on, weightOf(object(on, size)));
        } else if (what === "drop") {
          kept.drop(object(on));
          weights.delete(on);
        } else if (what === "clear") {
          kept.clear();
          weights = new Map();
        } else {
          const refill = kept.refill();
          const next = new Map<string, number>();
          for (const item of items) {
            next.delete(item.name);
            if (refill.add(object(item.name, item.size)) === undefined) next.set(item.name, weightOf(object(item.name, item.size)));
          }
          if (what === "commit") {
            refill.commit();
            weights = next;
          }
          refill.abandon();
        }
        expect(kept.count).toBe(weights.size);
        expect(budget.usedBytes).toBe([...weights.values()].reduce((sum, bytes) => sum + bytes, 0));
      }
    }),
  );
});
