import { getSmoothStepPath, Position } from "@xyflow/react";
import { pointOf, type Density, type Point } from "../viewport/geometry.ts";
import type { Card, CardEdge } from "../layout/card.ts";
import type { PlacedCard } from "../layout/graph-engine.ts";
import { STATUS, type EdgeStyle } from "../layout/graph-input.ts";
import type { Picture } from "../picture/graph-session.ts";
import { boxInTile, type Box } from "../viewport/viewport-tile.ts";

/** A line ready to be drawn. Coordinates are pixels of the canvas at 100 %. */
export interface Line {
  readonly edge: CardEdge;
  readonly source: Card;
  readonly target: Card;
  readonly path: string;
  /** Where its mark goes: before its target, as lines of one card run together at their beginning. */
  readonly markAt: Point;
  /** Owner of something degraded. */
  readonly bad: boolean;
}

interface Cached {
  readonly source: PlacedCard;
  readonly target: PlacedCard;
  readonly line: Line;
}

/** Keeps the lines between pictures, so that only those whose ends moved or changed are computed and drawn again. */
export class Lines {
  #density: Density | undefined;
  #cached = new WeakMap<CardEdge, Cached>();

  /** Lines of the shown styles that are in sight; those whose ends are not in the picture are left out. */
  of(
    picture: Pick<Picture, "cards" | "edges">,
    shown: ReadonlySet<EdgeStyle>,
    options: { readonly density: Density; readonly tile: string },
  ): readonly Line[] {
    const { density, tile } = options;
    if (density !== this.#density) this.#cached = new WeakMap();
    this.#density = density;
    const isShown = boxInTile(tile);
    const lines: Line[] = [];
    for (const edge of picture.edges.values()) {
      const source = picture.cards.get(edge.source);
      const target = picture.cards.get(edge.target);
      if (source === undefined || target === undefined || !shown.has(edge.style)) continue;
      if (!isShown(boxOf({ source, target, density }))) continue;
      const before = this.#cached.get(edge);
      const same = before !== undefined && before.source === source && before.target === target;
      const entry = same ? before : { source, target, line: lineOf(edge, { source, target, density }) };
      this.#cached.set(edge, entry);
      lines.push(entry.line);
    }
    return lines;
  }
}

interface Ends {
  readonly source: PlacedCard;
  readonly target: PlacedCard;
  readonly density: Density;
}

function boxOf({ source, target, density }: Ends): Box {
  const from = pointOf(source.slot, density);
  const to = pointOf(target.slot, density);
  return {
    left: Math.min(from.x, to.x) - GAP_PX,
    top: Math.min(from.y, to.y) - GAP_PX,
    right: Math.max(from.x, to.x) + density.width + DETOUR_PX + 2 * MOST_STEPS,
    bottom: Math.max(from.y, to.y) + density.height + GAP_PX,
  };
}

const ROUND_PX = 6;
const GAP_PX = 16;
/** Cards further apart than so many rows may have another between them. */
const NEIGHBOURS = 1.5;
const DETOUR_PX = 10;
const MOST_STEPS = 4;
/** Where such a line enters, as a part of the height of the card. */
const APART = 0.8;
/** So far before its target a line has its mark: beyond the arrow, and in a compact graph still behind the turn. */
const MARK_PX = 13;

/** The way of one line: references leave below, so that they do not run along owners; within a column they enter from above. */
function lineOf(edge: CardEdge, ends: Ends): Line {
  const { source, target, density } = ends;
  const { width, height } = density;
  const from = pointOf(source.slot, density);
  const to = pointOf(target.slot, density);
  const columns = Math.round((to.x - from.x) / density.columnPitch);
  if (columns === 0 && Math.abs(to.y - from.y) > density.rowPitch * NEIGHBOURS)
    return { ...around({ from, to, density }), edge, source: source.card, target: target.card, bad: isBad(edge, ends) };
  const reference = edge.style === "uses" || edge.style === "dangling";
  const below = reference || columns <= 0;
  const sourceX = below ? from.x + width * 0.25 : from.x + width;
  const sourceY = below ? from.y + height : from.y + height / 2;
  const enters = columns > 0 ? Position.Left : columns === 0 && to.y > from.y ? Position.Top : Position.Bottom;
  const targetX = enters === Position.Left ? to.x : to.x + width * (enters === Position.Top ? 0.25 : 0.6);
  const targetY = enters === Position.Left ? to.y + height * (isApart(edge) ? APART : 0.5) : enters === Position.Top ? to.y : to.y + height;
  const [path] = getSmoothStepPath({
    sourceX,
    sourceY,
    sourcePosition: below ? Position.Bottom : Position.Right,
    targetX,
    targetY,
    targetPosition: enters,
    borderRadius: ROUND_PX,
    offset: GAP_PX,
    // Lines over several columns turn just before their target, so that they do not run along cards between.
    ...(below ? {} : { centerX: targetX - (columns > 1 ? GAP_PX : (density.columnPitch - width) / 2) }),
  });
  const markAt = {
    x: enters === Position.Left ? targetX - MARK_PX : targetX,
    y: enters === Position.Left ? targetY : targetY + (enters === Position.Top ? -MARK_PX : MARK_PX),
  };
  return { edge, source: source.card, target: target.card, path, markAt, bad: isBad(edge, ends) };
}

/** What does not count, or carries nothing, has an entry of its own: its mark must not seem to be that of a line that enters there too. */
function isApart({ mark }: CardEdge): boolean {
  return mark !== undefined && mark !== "missing";
}

function isBad(edge: CardEdge, { source, target }: Ends): boolean {
  const { degraded } = STATUS;
  return edge.style === "owns" && source.card.status === degraded && target.card.status === degraded;
}

/** Between cards of one column with others between them: out to the right, along the column, and back. Longer ways run further out. */
export function around({
  from,
  to,
  density,
}: {
  readonly from: Point;
  readonly to: Point;
  readonly density: Density;
}): Pick<Line, "path" | "markAt"> {
  const { width, height, rowPitch } = density;
  const down = to.y > from.y;
  // Lower half out and upper half in, or the other way round, so that a card's lines do not meet.
  const startY = from.y + Math.round(height * (down ? 0.7 : 0.3));
  const endY = to.y + Math.round(height * (down ? 0.3 : 0.7));
  const edgeX = from.x + width;
  const x = edgeX + DETOUR_PX + 2 * Math.min(MOST_STEPS, Math.round(Math.abs(to.y - from.y) / rowPitch) - 2);
  const turn = down ? ROUND_PX : -ROUND_PX;
  const path = `M${edgeX} ${startY}H${x - ROUND_PX}Q${x} ${startY} ${x} ${startY + turn}V${endY - turn}Q${x} ${endY} ${x - ROUND_PX} ${endY}H${to.x + width}`;
  return { path, markAt: { x, y: (startY + endY) / 2 } };
}
