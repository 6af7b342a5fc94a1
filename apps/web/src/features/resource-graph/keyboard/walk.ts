import { pointOf, type Density } from "@binnacle/presentation/drawing/geometry";
import type { CardEdge } from "@binnacle/presentation/layout/card";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";

/** Arrow keys of the graph. */
export type Direction = "left" | "right" | "up" | "down";

interface Map2 {
  readonly cards: ReadonlyMap<string, PlacedCard>;
  readonly edges: ReadonlyMap<string, CardEdge>;
  readonly density: Density;
}

/** Left and right walk along edges, to the nearest one in height; up and down walk in the column, in visual order. `undefined`: nowhere to go. */
export function walk(map: Map2, from: string, direction: Direction): string | undefined {
  const start = map.cards.get(from);
  if (start === undefined) return readingOrder(map)[0];
  const at = pointOf(start.slot, map.density);
  if (direction === "left" || direction === "right") {
    const ahead = (x: number): boolean => (direction === "right" ? x > at.x : x < at.x);
    const ends = endsOf(map, from, direction).map((id) => ({ id, point: placeOf(map, id) }));
    const best = ends.filter((end) => ahead(end.point.x)).sort((one, two) => distance(at, one.point) - distance(at, two.point))[0];
    return (best ?? ends[0])?.id;
  }
  const column = [...map.cards.values()]
    .map((placed) => ({ id: placed.card.id, point: pointOf(placed.slot, map.density) }))
    .filter((each) => each.point.x === at.x && (direction === "down" ? each.point.y > at.y : each.point.y < at.y))
    .sort((one, two) => Math.abs(one.point.y - at.y) - Math.abs(two.point.y - at.y));
  return column[0]?.id;
}

/** Card ids as one reads: lane by lane, row by row, left to right. */
export function readingOrder(map: Pick<Map2, "cards">): readonly string[] {
  return [...map.cards.values()]
    .sort(
      (one, two) =>
        one.slot.lane - two.slot.lane ||
        one.slot.row - two.slot.row ||
        one.slot.column - two.slot.column ||
        (one.card.id < two.card.id ? -1 : 1),
    )
    .map((placed) => placed.card.id);
}

function endsOf(map: Map2, from: string, direction: "left" | "right"): string[] {
  const ends: string[] = [];
  for (const edge of map.edges.values()) {
    if (direction === "right" && edge.source === from) ends.push(edge.target);
    if (direction === "left" && edge.target === from) ends.push(edge.source);
  }
  return ends.filter((id) => map.cards.has(id));
}

function placeOf(map: Map2, id: string): { readonly x: number; readonly y: number } {
  const placed = map.cards.get(id);
  return placed === undefined ? { x: 0, y: 0 } : pointOf(placed.slot, map.density);
}

function distance(one: { readonly x: number; readonly y: number }, two: { readonly x: number; readonly y: number }): number {
  return Math.abs(one.y - two.y) * 4 + Math.abs(one.x - two.x);
}
