import { expect, test } from "vitest";
import { shiftIntoSight, type Box } from "./into-sight.ts";

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
