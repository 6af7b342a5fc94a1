import { expect, test } from "vitest";
import { COMFORTABLE, COMPACT } from "./geometry.ts";
import { around } from "./line-path.ts";

/** Every number after a letter that moves sideways. */
function xs(path: string): readonly number[] {
  return [...path.matchAll(/[MHQ](-?[\d.]+)/g)].map((found) => Number(found[1]));
}

for (const density of [COMFORTABLE, COMPACT]) {
  test(`around a column, ${density.name}: never left of the cards' right edge, never into the next column`, () => {
    for (const rows of [2, 3, 40]) {
      const { path } = around({ from: { x: 100, y: 0 }, to: { x: 100, y: rows * density.rowPitch }, density });
      expect(Math.min(...xs(path))).toBe(100 + density.width);
      expect(Math.max(...xs(path))).toBeLessThan(100 + density.columnPitch);
    }
  });
}

test("a longer way runs outside a shorter one", () => {
  const far = around({ from: { x: 0, y: 0 }, to: { x: 0, y: 4 * COMFORTABLE.rowPitch }, density: COMFORTABLE });
  const near = around({ from: { x: 0, y: 0 }, to: { x: 0, y: 2 * COMFORTABLE.rowPitch }, density: COMFORTABLE });
  expect(far.middle.x).toBeGreaterThan(near.middle.x);
});

test("upwards it turns the other way and ends at the target", () => {
  const { path } = around({ from: { x: 0, y: 300 }, to: { x: 0, y: 0 }, density: COMFORTABLE });
  expect(path).toMatch(/^M240 317H/);
  expect(path).toMatch(/ 39H240$/);
});
