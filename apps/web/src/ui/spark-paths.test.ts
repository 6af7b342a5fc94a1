import { expect, test } from "vitest";
import { sparkPaths, topOf } from "./sparkline.tsx";

const NONE = Number.NaN;

test("a line goes from edge to edge, the greatest number at the top", () => {
  expect(sparkPaths([0, 5, 10], 10)).toEqual({ line: "M0 30L60 16L120 2", area: "M0 32L0 30L60 16L120 2L120 32Z", dots: "" });
});

test("a gap is left open: nothing is drawn through it, and a moment between two gaps is a dot", () => {
  const { line, area, dots } = sparkPaths([1, 1, NONE, 1, NONE, 1, 1], 1);
  expect(line).toBe("M0 2L20 2M100 2L120 2");
  expect(area.split("Z").length - 1).toBe(2);
  expect(dots).toBe("M60 2h0");
});

test.each([
  ["nothing", []],
  ["gaps alone", [NONE, NONE]],
  ["what is no number", [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
])("%s draws nothing", (_what, values) => {
  expect(sparkPaths(values, topOf(values, []))).toEqual({ line: "", area: "", dots: "" });
});

test("what lies near decides how high the picture is, and what lies far away is left out of it", () => {
  expect(topOf([1, 2], [[4], [8]])).toBe(8);
  expect(topOf([1, 2], [[4], [100]])).toBe(4);
  expect(topOf([0, 0], [[4]])).toBe(4);
  expect(topOf([0, 0], [])).toBe(1);
  expect(sparkPaths([100, 100], 4).line).toBe("");
});

test("a flat line of nothing lies at the bottom", () => {
  expect(sparkPaths([0, 0], topOf([0, 0], [])).line).toBe("M0 30L120 30");
});
