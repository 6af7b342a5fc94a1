import { expect, test } from "vitest";
import { parseUrlState } from "../../address/url-state.ts";
import { COMFORTABLE, COMPACT, type View } from "@binnacle/presentation/drawing/geometry";
import { placeOf, viewAt } from "./view-place.ts";

const BOUNDS = { x: 0, y: 0, width: 4000, height: 9000 };
const LAPTOP = { size: { width: 1440, height: 700 }, density: COMFORTABLE };

test.each<View>([
  { x: 14, y: 34, zoom: 1 },
  { x: -1234.5, y: -3210, zoom: 0.37 },
  { x: 300, y: 200, zoom: 2 },
])("a view that a link leads to is the place that it names: nothing is written again", (view) => {
  const place = placeOf(view, LAPTOP);
  expect(parseUrlState(new URLSearchParams({ at: place })).at).toBe(place);
  const linked = viewAt(place, LAPTOP, BOUNDS) ?? view;
  expect(placeOf(linked, LAPTOP)).toBe(place);
  expect(Math.abs(linked.x - view.x)).toBeLessThan(COMFORTABLE.columnPitch * 0.12 * view.zoom + 10);
  expect(Math.abs(linked.y - view.y)).toBeLessThan(COMFORTABLE.rowPitch * 0.12 * view.zoom + 20);
});

test("another window, with other cards, has the same card in its middle", () => {
  const phone = { size: { width: 390, height: 600 }, density: COMPACT };
  const { x, y, zoom } = viewAt("4.5,20,80", phone, BOUNDS) ?? { x: 0, y: 0, zoom: 1 };
  expect((195 - x) / zoom / COMPACT.columnPitch).toBeCloseTo(4.5);
  expect((300 - y) / zoom / COMPACT.rowPitch).toBeCloseTo(20);
});

test("where no card is, a link leads nowhere", () => {
  expect(viewAt("900,20,100", LAPTOP, BOUNDS)).toBeUndefined();
  expect(viewAt("4,-200,100", LAPTOP, BOUNDS)).toBeUndefined();
  expect(viewAt("", LAPTOP, BOUNDS)).toBeUndefined();
});
