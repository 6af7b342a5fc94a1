import { Position } from "@xyflow/react";
import type { LineEdge } from "./card-edge.tsx";
import { pointOf, type Density } from "./geometry.ts";
import { STATUS, type EdgeStyle } from "./layout/graph-input.ts";
import type { Picture } from "./graph-session.ts";
import type { CardNode } from "./node-card.tsx";
import type { PlacedCard } from "./layout/graph-engine.ts";

const HIDDEN_FROM_TREE = { "aria-roledescription": undefined, "aria-describedby": undefined } as const;
const SILENT = { "aria-hidden": true, "aria-label": undefined, "aria-roledescription": undefined } as const;

/** Turns the picture into React Flow's elements and keeps those that did not change, so that only what changed renders. */
export class FlowElements {
  #density: Density | undefined;
  #nodes = new Map<string, { readonly placed: PlacedCard; readonly node: CardNode }>();
  #edges = new Map<string, { readonly key: string; readonly edge: LineEdge }>();

  nodes(picture: Picture, density: Density): CardNode[] {
    if (density !== this.#density) {
      this.#nodes = new Map();
      this.#density = density;
    }
    const next = new Map<string, { readonly placed: PlacedCard; readonly node: CardNode }>();
    const list: CardNode[] = [];
    for (const [id, placed] of picture.cards) {
      const before = this.#nodes.get(id);
      const entry = before?.placed === placed ? before : { placed, node: cardNode(placed, density) };
      next.set(id, entry);
      list.push(entry.node);
    }
    this.#nodes = next;
    return list;
  }

  edges(picture: Picture, shown: ReadonlySet<EdgeStyle>): LineEdge[] {
    const next = new Map<string, { readonly key: string; readonly edge: LineEdge }>();
    const list: LineEdge[] = [];
    for (const [id, edge] of picture.edges) {
      if (!shown.has(edge.style)) continue;
      const source = picture.cards.get(edge.source);
      const target = picture.cards.get(edge.target);
      if (source === undefined || target === undefined) continue;
      const bad = edge.style === "owns" && source.card.status === STATUS.degraded && target.card.status === STATUS.degraded;
      const columns = target.slot.column - source.slot.column + (target.slot.lane - source.slot.lane) * 100;
      const shape = shapeOf(edge.style, columns);
      const key = `${bad}${edge.count}${edge.paths.length}${shape.sourceHandle}${shape.targetHandle}${columns}`;
      const before = this.#edges.get(id);
      const entry =
        before?.key === key
          ? before
          : {
              key,
              edge: {
                id,
                type: "line" as const,
                source: edge.source,
                target: edge.target,
                ...shape,
                data: { edge, bad, far: columns > 1 && shape.sourceHandle === "right" },
                focusable: false,
                selectable: false,
                domAttributes: SILENT,
              },
            };
      next.set(id, entry);
      list.push(entry.edge);
    }
    this.#edges = next;
    return list;
  }
}

/** References leave below, so that they do not run along owners; within a column they enter from above. */
function shapeOf(style: EdgeStyle, columns: number): { readonly sourceHandle: string; readonly targetHandle: string } {
  if (columns === 0) return { sourceHandle: "bottom", targetHandle: "top" };
  if (columns < 0) return { sourceHandle: "bottom", targetHandle: "bottom-in" };
  const below = style === "uses" || style === "dangling";
  return { sourceHandle: below ? "bottom" : "right", targetHandle: "left" };
}

function cardNode(placed: PlacedCard, density: Density): CardNode {
  const { width, height } = density;
  const at = { width: 1, height: 1 };
  return {
    id: placed.card.id,
    type: "card",
    position: pointOf(placed.slot, density),
    width,
    height,
    measured: { width, height },
    handles: [
      { id: "right", type: "source", position: Position.Right, x: width, y: height / 2, ...at },
      { id: "bottom", type: "source", position: Position.Bottom, x: width * 0.3, y: height, ...at },
      { id: "left", type: "target", position: Position.Left, x: 0, y: height / 2, ...at },
      { id: "top", type: "target", position: Position.Top, x: width * 0.3, y: 0, ...at },
      { id: "bottom-in", type: "target", position: Position.Bottom, x: width * 0.6, y: height, ...at },
    ],
    data: { card: placed.card },
    draggable: false,
    selectable: false,
    connectable: false,
    domAttributes: HIDDEN_FROM_TREE,
  };
}
