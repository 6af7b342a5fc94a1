import { cornersOf, type Density, type Point } from "./geometry.ts";
import type { Card, CardEdge } from "../layout/card.ts";
import { STATUS, type EdgeStyle } from "../layout/graph-input.ts";
import type { DrawnGraph } from "./drawn-graph.ts";
import { boxInTile, type Box } from "./viewport-tile.ts";

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
  readonly source: Card;
  readonly target: Card;
  readonly box: Box;
  readonly line: Line;
}

/** Keeps the lines between pictures, so that only those whose ways or ends changed are computed and drawn again. */
export class Lines {
  #density: Density | undefined;
  #cached = new WeakMap<CardEdge, Cached>();

  /** Lines of the shown styles that are in sight; those that have no way are left out. */
  of(
    picture: Pick<DrawnGraph, "cards" | "edges">,
    shown: ReadonlySet<EdgeStyle>,
    options: { readonly density: Density; readonly tile: string },
  ): readonly Line[] {
    const { density, tile } = options;
    if (density !== this.#density) this.#cached = new WeakMap();
    this.#density = density;
    const isShown = boxInTile(tile);
    const lines: Line[] = [];
    for (const edge of picture.edges.values()) {
      const source = picture.cards.get(edge.source)?.card;
      const target = picture.cards.get(edge.target)?.card;
      if (source === undefined || target === undefined || edge.route.length === 0 || !shown.has(edge.style)) continue;
      const before = this.#cached.get(edge);
      const same = before !== undefined && before.source === source && before.target === target;
      const entry = same ? before : lineOf(edge, { source, target, density });
      this.#cached.set(edge, entry);
      if (isShown(entry.box)) lines.push(entry.line);
    }
    return lines;
  }
}

const ROUND_PX = 6;
/** So far before its target a line has its mark: beyond the arrow, and in a compact graph still behind the turn. */
const MARK_PX = 13;

function lineOf(edge: CardEdge, ends: { readonly source: Card; readonly target: Card; readonly density: Density }): Cached {
  const { source, target, density } = ends;
  const corners = cornersOf(edge.route, density);
  const { degraded } = STATUS;
  const bad = edge.style === "owns" && source.status === degraded && target.status === degraded;
  const line = { edge, source, target, path: pathOf(corners), markAt: beforeEnd(corners), bad };
  return { source, target, box: boxOf(corners), line };
}

/** Through all corners, each of them rounded as far as its sides are long enough. */
export function pathOf(corners: readonly Point[]): string {
  const [first] = corners;
  if (first === undefined) return "";
  let path = `M${first.x} ${first.y}`;
  for (let index = 1; index < corners.length; index += 1) {
    const [before, at, after] = [corners[index - 1], corners[index], corners[index + 1]];
    if (before === undefined || at === undefined) break;
    if (after === undefined) return `${path}L${at.x} ${at.y}`;
    const round = Math.min(ROUND_PX, lengthOf(before, at) / 2, lengthOf(at, after) / 2);
    const [start, end] = [towards(at, before, round), towards(at, after, round)];
    path += `L${start.x} ${start.y}Q${at.x} ${at.y} ${end.x} ${end.y}`;
  }
  return path;
}

function beforeEnd(corners: readonly Point[]): Point {
  const [turn, end] = [corners.at(-2), corners.at(-1)];
  return turn === undefined || end === undefined ? { x: 0, y: 0 } : towards(end, turn, MARK_PX);
}

function lengthOf(one: Point, other: Point): number {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y);
}

/** So many pixels from one point to another beside, above or below it. */
function towards(from: Point, to: Point, pixels: number): Point {
  return { x: from.x + Math.sign(to.x - from.x) * pixels, y: from.y + Math.sign(to.y - from.y) * pixels };
}

function boxOf(corners: readonly Point[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of corners) {
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Texts below another, each on a line of its own. */
export function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `\n${text}`).join("");
}
