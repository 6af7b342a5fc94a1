import { expect, test } from "vitest";
import { forgetSizes } from "./log-list.tsx";

test("heights of rows that have fallen off are forgotten, however many rows come", () => {
  const sizes = new Map<number | string | bigint, number>();
  let most = 0;
  for (let id = 1; id <= 400_000; id += 1) {
    sizes.set(id, 40);
    if (id % 500 !== 0) continue;
    forgetSizes(sizes, id - 1_000);
    most = Math.max(most, sizes.size);
  }
  expect(most).toBe(1_001);
});

test("a height that was measured out of order is forgotten with those that were measured before it", () => {
  const sizes = new Map<number | string | bigint, number>([
    [5, 20],
    [2, 20],
    [9, 20],
  ]);
  forgetSizes(sizes, 4);
  expect([...sizes.keys()]).toEqual([5, 2, 9]);
  forgetSizes(sizes, 6);
  expect([...sizes.keys()]).toEqual([9]);
});
