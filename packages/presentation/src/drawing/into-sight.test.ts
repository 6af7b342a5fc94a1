import { expect, test } from "vitest";
import { firstView, isInSight, shiftIntoSight, type Box } from "./geometry.ts";

const ROOM = { left: 24, top: 38, right: 976, bottom: 676 };
const MINIMAP = { left: 14, top: 560, right: 194, bottom: 652 };
const at = (left: number, top: number): Box => ({ left, top, right: left + 240, bottom: top + 80 });

test("what is seen whole does not move, what is not moves as little as does it", () => {
  expect(shiftIntoSight(at(400, 300), ROOM, MINIMAP)).toEqual({ x: 0, y: 0 });
  expect(shiftIntoSight(at(900, 300), ROOM, undefined)).toEqual({ x: -164, y: 0 });
  expect(shiftIntoSight(at(-100, 10), ROOM, undefined)).toEqual({ x: 124, y: 28 });
});

test("US10: a hit never ends beneath the minimap", () => {
  for (const box of [at(30, 580), at(100, 600), at(-50, 900), at(180, 590)]) {
    const { x, y } = shiftIntoSight(box, ROOM, MINIMAP);
    const shown = { left: box.left + x, top: box.top + y, right: box.right + x, bottom: box.bottom + y };
    expect(shown.left >= MINIMAP.right || shown.bottom <= MINIMAP.top).toBe(true);
    expect(shown.left).toBeGreaterThanOrEqual(ROOM.left);
    expect(shown.bottom).toBeLessThanOrEqual(ROOM.bottom);
  }
});

test("S10: each card of the first view is seen whole, so that the focus that a navigation moves there leaves the view as it is", () => {
  const size = { width: 1440, height: 700 };
  const bounds = { x: 852, y: 0, width: 2600, height: 1200 };
  const first = firstView(bounds, size);
  const card = { width: 240, height: 56 };
  for (const [x, y] of [
    [852, 0],
    [3212, 1144],
  ] as const)
    expect(isInSight({ ...card, x, y }, first, { size })).toBe(true);
  expect(isInSight({ ...card, x: 600, y: 0 }, first, { size })).toBe(false);
  expect(isInSight({ ...card, x: 852, y: 0 }, { ...first, y: 0 }, { size })).toBe(false);
  const cover = { left: 14, top: 30, right: 194, bottom: 130 };
  expect(isInSight({ ...card, x: 852, y: 0 }, first, { size, cover })).toBe(false);
});
