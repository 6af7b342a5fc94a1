import { expect, test } from "vitest";

import { endOf, timeGrid, valuesOn } from "./time-grid.ts";

test("sixty moments end at the last whole five seconds", () => {
  const grid = timeGrid(0, 1_000_004_999);
  expect([grid, endOf(grid)]).toEqual([{ start: 1_000_000 - 59 * 30, step: 30, points: 60 }, 1_000_000]);
  expect(timeGrid(30, 1_000_000_000)).toEqual(grid);
  expect(timeGrid(60, 1_000_005_000)).toMatchObject({ step: 60, start: 1_000_005 - 59 * 60 });
  expect(() => timeGrid(1_441, 0)).toThrow("1440 minutes at most");
});

test.each([
  [
    "is measured",
    [
      [100, "0"],
      [130, "1e-3"],
      [160, "3"],
    ],
    [0, 0.001, 3],
  ],
  [
    "is missing, no number, or beside the span",
    [
      [100, "NaN"],
      [130, "+Inf"],
      [190, "9"],
      [70, "9"],
    ],
    [NaN, NaN, NaN],
  ],
  ["is nothing of Prometheus'", [[100, ""], [130, 4], "x", undefined, [130], { 0: 130, 1: "4" }], [NaN, NaN, NaN]],
  [
    "lies a little off a moment",
    [
      [101.5, "1"],
      [131, "2"],
    ],
    [1, 2, NaN],
  ],
])("a value that %s", (_what, samples, values) => {
  expect(valuesOn({ start: 100, step: 30, points: 3 }, samples)).toEqual(values);
});
