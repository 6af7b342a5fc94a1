import { expect, test } from "vitest";
import { COMFORTABLE, COMPACT } from "../viewport/geometry.ts";
import { around, Lines, type Line } from "./line-path.ts";
import type { CardEdge } from "../layout/card.ts";
import { foldGraph } from "../layout/fold-graph.ts";
import { byId, node } from "../layout/testing.ts";

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
  expect(far.markAt.x).toBeGreaterThan(near.markAt.x);
});

test("upwards it turns the other way and ends at the target", () => {
  const { path } = around({ from: { x: 0, y: 300 }, to: { x: 0, y: 0 }, density: COMFORTABLE });
  expect(path).toMatch(/^M240 317H/);
  expect(path).toMatch(/ 39H240$/);
});

test("W20: the mark of a line is on no other line that enters the same card", () => {
  const cards = foldGraph(byId([node("Ingress", "a"), node("Ingress", "b"), node("Service", "web")]), new Map(), new Set()).cards;
  const placed = [...cards.values()].map((card, row) => ({ card, slot: { lane: 0, column: card.kind === "Service" ? 1 : 0, row } }));
  const line = (source: string): CardEdge => ({ id: source, source, target: "Service/web", style: "routes", count: 1, paths: [] });
  const edges = byId([line("Ingress/a"), { ...line("Ingress/b"), mark: "idle" as const }]);
  const picture = { cards: new Map(placed.map((each) => [each.card.id, each])), edges };
  for (const density of [COMFORTABLE, COMPACT]) {
    const [plain, idle] = new Lines().of(picture, new Set(["routes"]), { density, tile: "" });
    expect(distance(plain, idle)).toBeGreaterThanOrEqual(14);
  }
});

function distance(one: Line | undefined, other: Line | undefined): number {
  return one === undefined || other === undefined ? 0 : Math.hypot(one.markAt.x - other.markAt.x, one.markAt.y - other.markAt.y);
}
