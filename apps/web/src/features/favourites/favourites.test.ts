import { expect, test } from "vitest";
import { favouritesFirst, isFavourite, parseFavourite, withToggled } from "./favourites.ts";

const SHOP = { projectPath: "harbor/shop", environment: "production" };
const OTHER = { projectPath: "harbor/other", environment: "production" };

test("a mark is of one environment of one project, comes in front and goes again", () => {
  const marked = withToggled([OTHER], SHOP);
  expect(marked).toEqual([SHOP, OTHER]);
  expect(isFavourite(marked, SHOP)).toBe(true);
  expect(isFavourite([OTHER], SHOP)).toBe(false);
  expect(withToggled(marked, { ...SHOP })).toEqual([OTHER]);
});

test("favourites come before all others, and each part keeps its order", () => {
  expect(favouritesFirst(["a", "b", "c", "d"], new Set(["d", "b", "gone"]))).toEqual(["b", "d", "a", "c"]);
  const names = ["a", "b"];
  expect(favouritesFirst(names, new Set(["gone"]))).toBe(names);
});

test("what was kept by another version is left out", () => {
  expect(parseFavourite({ ...SHOP, more: 1 })).toEqual(SHOP);
  for (const value of [null, "a", 1, {}, { projectPath: 1, environment: "x" }]) expect(parseFavourite(value)).toBeUndefined();
});
