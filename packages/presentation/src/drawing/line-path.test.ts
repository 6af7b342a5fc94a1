import { expect, test } from "vitest";
import { COMFORTABLE, COMPACT } from "./geometry.ts";
import { GraphEngine } from "../layout/graph-engine.ts";
import { edge, node } from "../layout/testing.ts";
import { Lines, pathOf, type Line } from "./line-path.ts";

test("a path is rounded at its corners, and less where a side is short", () => {
  const path = pathOf([
    { x: 0, y: 0 },
    { x: 20, y: 0 },
    { x: 20, y: 4 },
    { x: 60, y: 4 },
  ]);
  expect(path).toBe("M0 0L18 0Q20 0 20 2L20 2Q20 4 22 4L60 4");
});

test("W20: the mark of a line is on no other line that enters the same card", () => {
  const nodes = [node("Ingress", "a"), node("Ingress", "b"), node("Service", "web")];
  const edges = [edge("Ingress/a", "Service/web", "routes"), { ...edge("Ingress/b", "Service/web", "routes"), mark: "idle" as const }];
  const { cards, edges: lines } = new GraphEngine().answer({ nodes, edges, tidy: true });
  const picture = { cards: new Map(cards.map((each) => [each.card.id, each])), edges: new Map(lines.map((line) => [line.id, line])) };
  for (const density of [COMFORTABLE, COMPACT]) {
    const [plain, idle] = new Lines().of(picture, new Set(["routes"]), { density, tile: "" });
    expect(distance(plain, idle)).toBeGreaterThanOrEqual(14);
  }
});

function distance(one: Line | undefined, other: Line | undefined): number {
  return one === undefined || other === undefined ? 0 : Math.hypot(one.markAt.x - other.markAt.x, one.markAt.y - other.markAt.y);
}
