import type { CardEdge, Slot } from "../layout/card.ts";
import type { EngineAnswer, PlacedCard } from "../layout/graph-engine.ts";

/** Cards and lines of the picture, as the layout has told of them; the same maps all the time. */
export class DrawnParts {
  readonly cards = new Map<string, PlacedCard>();
  readonly edges = new Map<string, CardEdge>();

  /** @returns whether a card that was there stands elsewhere now */
  take(answer: EngineAnswer): boolean {
    for (const id of answer.removedCards) this.cards.delete(id);
    const isMoved = answer.cards.some(({ card, slot }) => isElsewhere(this.cards.get(card.id)?.slot, slot));
    for (const placed of answer.cards) this.cards.set(placed.card.id, placed);
    for (const id of answer.removedEdges) this.edges.delete(id);
    for (const edge of answer.edges) this.edges.set(edge.id, edge);
    return isMoved;
  }

  /** Another layout answers, which knows nothing of these. */
  clear(): void {
    this.cards.clear();
    this.edges.clear();
  }
}

function isElsewhere(before: Slot | undefined, now: Slot): boolean {
  return before !== undefined && (before.row !== now.row || before.column !== now.column || before.lane !== now.lane);
}
