import { Position } from "@xyflow/react";
import { pointOf, type Density } from "@binnacle/presentation/drawing/geometry";
import type { Picture } from "../picture/picture.ts";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import type { CardNode } from "./node-card.tsx";

const NOT_A_WIDGET = { "aria-roledescription": undefined, "aria-describedby": undefined } as const;

/** Turns cards into React Flow's nodes and keeps those that did not change, so that only what changed renders. */
export class FlowNodes {
  #density: Density | undefined;
  #nodes = new Map<string, { readonly placed: PlacedCard; readonly node: CardNode }>();

  /** Nodes of the picture, in no order. */
  of(picture: Picture, density: Density): CardNode[] {
    if (density !== this.#density) this.#nodes = new Map();
    this.#density = density;
    const next = new Map<string, { readonly placed: PlacedCard; readonly node: CardNode }>();
    for (const [id, placed] of picture.cards) {
      const before = this.#nodes.get(id);
      next.set(id, before?.placed === placed ? before : { placed, node: cardNode(placed, density) });
    }
    this.#nodes = next;
    return [...next.values()].map((entry) => entry.node);
  }
}

/** Size and handles are given, so that React Flow never has to mount a card to measure it. */
function cardNode(placed: PlacedCard, density: Density): CardNode {
  const { width, height } = density;
  return {
    id: placed.card.id,
    type: "card",
    position: pointOf(placed.slot, density),
    width,
    height,
    measured: { width, height },
    handles: [{ type: "source", position: Position.Right, x: width, y: height / 2, width: 1, height: 1 }],
    data: { card: placed.card },
    draggable: false,
    selectable: false,
    connectable: false,
    domAttributes: NOT_A_WIDGET,
  };
}
