import type { CardEdge } from "./card.ts";
import type { PlacedCard } from "./graph-engine.ts";
import type { Room } from "./lanes.ts";
import { CardLayout } from "./layout-cards.ts";
import { routeEdges } from "./routes.ts";

/** What stands somewhere. */
interface Placed {
  readonly cards: ReadonlyMap<string, PlacedCard>;
  readonly edges: ReadonlyMap<string, CardEdge>;
}

/** The same cards and lines, none more or less, laid out from nothing for another room. */
export function layOutFor<Picture extends Placed>(room: Room, picture: Picture): Picture {
  const layout = new CardLayout();
  layout.tidy(new Map([...picture.cards].map(([id, { card }]) => [id, card])), { room });
  const cards = new Map<string, PlacedCard>();
  for (const [id, { card, slot }] of picture.cards) cards.set(id, { card, slot: layout.slots.get(id) ?? slot });
  return { ...picture, cards, edges: routeEdges(picture.edges, layout.slots) };
}
