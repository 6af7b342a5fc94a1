import { expect, test } from "vitest";
import { rowsPerLane } from "./lanes.ts";

const blocks = (count: number, rows: number): number[] => Array.from({ length: count }, () => rows);

test("what fits stays in one lane, and a wide room takes more lanes than a narrow one", () => {
  expect(rowsPerLane(blocks(2, 3), { width: 1412, height: 800 })).toBeGreaterThanOrEqual(6);
  const lanes = (width: number): number => 30 / Math.floor(rowsPerLane(blocks(30, 3), { width, height: 800 }) / 3.3);
  expect(lanes(2_532)).toBeGreaterThan(lanes(700));
});

test("lanes are of about one height", () => {
  const rows = rowsPerLane(blocks(40, 3), { width: 1412, height: 560 });
  expect(rows).toBeLessThan(40 * 3.3);
  const perLane = Math.floor((rows + 0.3) / 3.3);
  expect(40 % perLane === 0 || 40 % perLane > perLane / 2).toBe(true);
});

test("one block that is higher than the room has a lane as high as it is", () => {
  expect(rowsPerLane([200, 1, 1], { width: 1412, height: 560 })).toBeGreaterThanOrEqual(200);
  expect(rowsPerLane([], { width: 0, height: 0 })).toBe(Infinity);
});
