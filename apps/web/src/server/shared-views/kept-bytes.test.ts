import { ByteBudget } from "@binnacle/environment-view";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { KeptBytes } from "./kept-bytes.ts";

const DAY = 24 * 60 * 60_000;
/** What one entry of a hundred bytes weighs. */
const WEIGHT = 612;

function kept(entries: number, processBytes = 1_000_000): { kept: KeptBytes; budget: ByteBudget; clock: ManualClock } {
  const clock = new ManualClock();
  const budget = new ByteBudget(processBytes);
  return { clock, budget, kept: new KeptBytes({ budget, mostBytes: entries * WEIGHT, ttlMs: DAY, clock }) };
}

const bytes = (value: number): Uint8Array => new Uint8Array(100).fill(value);

test("US5: what was used last stays longest, and all that is held is charged to the process", () => {
  const { kept: store, budget } = kept(3);
  for (const key of ["a", "b", "c"]) store.put(key, bytes(1));
  store.get("a");
  store.put("d", bytes(2));
  expect(["a", "b", "c", "d"].filter((key) => store.get(key) !== undefined)).toEqual(["a", "c", "d"]);
  expect(budget.usedBytes).toBe(3 * WEIGHT);
});

test("US5: a hundred times the same key are one entry", () => {
  const { kept: store, budget } = kept(3);
  for (let round = 0; round < 100; round += 1) store.put("a", bytes(round));
  expect(store.get("a")).toEqual(bytes(99));
  expect(budget.usedBytes).toBe(WEIGHT);
  store.delete("a");
  store.delete("a");
  expect(budget.usedBytes).toBe(0);
});

test("US5: after its time an entry is gone, and so are its bytes when another entry needs them", () => {
  const { kept: store, budget, clock } = kept(3);
  store.put("a", bytes(1));
  clock.advance(DAY + 1);
  expect(store.get("a")).toBeUndefined();
  store.put("b", bytes(1));
  expect(budget.usedBytes).toBe(WEIGHT);
});

test("US5: what finds no room is not kept, and neither is what stood in its place", () => {
  const { kept: store, budget } = kept(2);
  store.put("a", bytes(1));
  expect(store.put("a", new Uint8Array(10_000))).toBe(false);
  expect(store.get("a")).toBeUndefined();
  expect(budget.usedBytes).toBe(0);
});

test("US5: what views hold leaves less for pictures, never more", () => {
  const { kept: store, budget } = kept(10, 10 * WEIGHT);
  const views = budget.part();
  for (const key of ["a", "b", "c"]) store.put(key, bytes(1));
  expect(views.take(3 * WEIGHT)).toBe(true);
  for (const key of ["d", "e", "f", "g"]) store.put(key, bytes(1));
  expect(budget.usedBytes).toBeLessThanOrEqual(10 * WEIGHT);
  expect(store.get("g")).toEqual(bytes(1));
});
