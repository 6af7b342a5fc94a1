import { expect, test } from "vitest";

import { quantityOf } from "./quantity.ts";

test.each([
  ["500m", 0.5],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["512000Ki", 500 * 2 ** 20],
  ["1k", 1_000],
  ["1e3", 1_000],
  ["+2", 2],
  [3, 3],
])("%j is %d", (written, amount) => {
  expect(quantityOf(written)).toBe(amount);
});

test.each(["", "x", "1K", "1ki", "1 Gi", "1GiB", "0x10", "1".repeat(41), null, undefined, {}, Number.NaN])(
  "%j is no quantity",
  (written) => {
    expect(quantityOf(written)).toBeUndefined();
  },
);
