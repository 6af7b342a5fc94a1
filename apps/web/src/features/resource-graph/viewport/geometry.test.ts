import { expect, test } from "vitest";
import { boundsOf, COMFORTABLE, detailOf, firstView, fitView, pointOf } from "./geometry.ts";
import { boxInTile, viewportTileOf } from "./viewport-tile.ts";

const SIZE = { width: 1440, height: 640 };

test("a small graph is shown whole, never above 100 %", () => {
  expect(firstView({ x: 0, y: 0, width: 400, height: 200 }, SIZE).zoom).toBe(1);
});

test("a large graph starts where the worst stands, large enough to be read", () => {
  const view = firstView({ x: 0, y: 0, width: 30_000, height: 20_000 }, SIZE);
  expect(detailOf(view.zoom)).toBe("near");
  expect(view.x).toBeGreaterThan(0);
});

test("fit shows everything", () => {
  const bounds = boundsOf(
    [
      { lane: 0, column: 0, row: 0 },
      { lane: 3, column: 4, row: 90 },
    ],
    COMFORTABLE,
  );
  const view = fitView(bounds, SIZE);
  expect((bounds.x + bounds.width) * view.zoom + view.x).toBeLessThanOrEqual(SIZE.width);
  expect((bounds.y + bounds.height) * view.zoom + view.y).toBeLessThanOrEqual(SIZE.height);
});

test("lanes stand beside each other without overlap", () => {
  const last = pointOf({ lane: 0, column: 4, row: 0 }, COMFORTABLE);
  const next = pointOf({ lane: 1, column: 0, row: 0 }, COMFORTABLE);
  expect(next.x).toBeGreaterThanOrEqual(last.x + COMFORTABLE.width);
});

test("what is in sight changes by tiles, not by pixels", () => {
  const at = (x: number): string => viewportTileOf({ x, y: 0, zoom: 1 }, SIZE);
  expect(at(-10)).toBe(at(-20));
  expect(at(-10)).not.toBe(at(-400));
  expect(boxInTile(at(0))({ left: 100, top: 100, right: 200, bottom: 200 })).toBe(true);
  expect(boxInTile(at(0))({ left: 9000, top: 100, right: 9200, bottom: 200 })).toBe(false);
});
