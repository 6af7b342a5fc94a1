import type { CardEdge } from "@binnacle/presentation/layout/card";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import { cornersOf, pointOf, type Density, type Point } from "@binnacle/presentation/drawing/geometry";

/** For tests: "line > card" wherever a part of a line touches the box of a card, strip included; of its own ends only the inside counts. */
export function crossings(
  picture: { readonly cards: ReadonlyMap<string, PlacedCard>; readonly edges: ReadonlyMap<string, CardEdge> },
  density: Density,
): readonly string[] {
  const columns = new Map<number, { readonly id: string; readonly at: Point }[]>();
  for (const { card, slot } of picture.cards.values()) {
    const at = pointOf(slot, density);
    columns.set(at.x, [...(columns.get(at.x) ?? []), { id: card.id, at }]);
  }
  const found: string[] = [];
  for (const edge of picture.edges.values()) {
    const corners = cornersOf(edge.route, density);
    for (const [index, from] of corners.slice(0, -1).entries()) {
      const to = corners[index + 1] ?? from;
      for (const [x, cards] of columns) {
        if (Math.min(from.x, to.x) > x + density.width || Math.max(from.x, to.x) < x) continue;
        for (const { id, at } of cards)
          if (touches(from, to, { at, density, slack: isEnd(edge, id) ? 0.01 : 0 })) found.push(`${edge.id} > ${id}`);
      }
    }
  }
  return found;
}

function touches(from: Point, to: Point, box: { readonly at: Point; readonly density: Density; readonly slack: number }): boolean {
  const { at, density, slack } = box;
  const overlaps = (one: number, two: number, [low, high]: readonly [number, number]): boolean =>
    Math.max(one, two) >= low + slack && Math.min(one, two) <= high - slack;
  return overlaps(from.x, to.x, [at.x, at.x + density.width]) && overlaps(from.y, to.y, [at.y, at.y + density.height + density.strip]);
}

function isEnd(edge: CardEdge, id: string): boolean {
  return edge.source === id || edge.target === id;
}
