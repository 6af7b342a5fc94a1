import { hasText } from "../../filter/node-filter.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { readingOrder } from "../keyboard/walk.ts";
import type { PlacedCard } from "../layout/graph-engine.ts";

/** A resource that a search has found, and the card that shows it: its own, or the fold that it is in. */
export interface Hit {
  readonly id: string;
  readonly cardId: string;
}

const NOTHING: readonly Hit[] = [];

/** What is found, in the order that cards are read in; what a filter hides is not found. Linear but for the order. */
export function hitsOf(cards: ReadonlyMap<string, PlacedCard>, nodes: ReadonlyMap<string, LiveNode>, looked: string): readonly Hit[] {
  if (looked.trim() === "") return NOTHING;
  const foldOf = new Map<string, string>();
  for (const { card } of cards.values()) for (const id of card.members) foldOf.set(id, card.id);
  const byCard = new Map<string, Hit[]>();
  for (const node of nodes.values()) {
    if (!hasText(node, looked)) continue;
    const cardId = cardShowing(node, nodes, (id) => (cards.has(id) ? id : foldOf.get(id)));
    if (cardId === undefined) continue;
    const hits = byCard.get(cardId);
    if (hits === undefined) byCard.set(cardId, [{ id: node.id, cardId }]);
    else hits.push({ id: node.id, cardId });
  }
  return readingOrder({ cards }).flatMap((cardId) => byCard.get(cardId) ?? []);
}

/** The card that a resource is shown by now: its own, or the fold that it is in. */
export function cardOf(cards: ReadonlyMap<string, PlacedCard>, nodes: ReadonlyMap<string, LiveNode>, id: string): string | undefined {
  const node = nodes.get(id);
  if (node === undefined) return undefined;
  const all = [...cards.values()];
  return cardShowing(node, nodes, (each) => (cards.has(each) ? each : all.find(({ card }) => card.members.includes(each))?.card.id));
}

/** What lies below the members of a fold is shown by the fold. */
function cardShowing(
  start: LiveNode,
  nodes: ReadonlyMap<string, LiveNode>,
  cardOfId: (id: string) => string | undefined,
): string | undefined {
  const seen = new Set<string>();
  for (let node: LiveNode | undefined = start; node !== undefined && !seen.has(node.id); node = nodes.get(node.ownerId)) {
    const found = cardOfId(node.id);
    if (found !== undefined) return node === start || found !== node.id ? found : undefined;
    seen.add(node.id);
  }
  return undefined;
}
