import type { Route, Slot } from "../layout/card.ts";
import { LANE_COLUMNS } from "../layout/lanes.ts";

/** Sizes of a density, in pixels at 100 %. The strip with the reason hangs below the card. */
export interface Density {
  readonly name: "comfortable" | "compact";
  readonly width: number;
  readonly height: number;
  readonly strip: number;
  readonly columnPitch: number;
  readonly rowPitch: number;
  /** Size of the font of a name, and the room for one in a card without marks. */
  readonly nameFont: number;
  readonly nameRoom: number;
}

/** 240 × 56. */
export const COMFORTABLE: Density = {
  name: "comfortable",
  width: 240,
  height: 56,
  strip: 24,
  columnPitch: 284,
  rowPitch: 92,
  nameFont: 14,
  nameRoom: 152,
};
/** 180 × 48, when the drawer is open. */
export const COMPACT: Density = {
  name: "compact",
  width: 180,
  height: 48,
  strip: 20,
  columnPitch: 208,
  rowPitch: 79,
  nameFont: 12,
  nameRoom: 103,
};

/** Zoom below which cards become blocks, and below which they show icon and name only: a name is never smaller than 11 pixels on the screen. */
const FAR_BELOW = 0.4;
const MIDDLE_BELOW = 0.79;
/** Below this a name has the whole card, in a larger font. */
export const SMALL_BELOW = 0.55;

/** A rectangle on the screen. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Span = readonly [number, number];

const GAP_PX = 8;
const EDGE_PX = 24;

/** Level of detail of a zoom. */
export function detailOf(zoom: number): "far" | "middle" | "near" {
  if (zoom < FAR_BELOW) return "far";
  return zoom < MIDDLE_BELOW ? "middle" : "near";
}

/** A point of the canvas, pixels at 100 %. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Top left corner of a card. */
export function pointOf(slot: Slot, density: Density): Point {
  return { x: (slot.lane * LANE_COLUMNS + slot.column) * density.columnPitch, y: slot.row * density.rowPitch };
}

/** The corners of a line in pixels. A card is as high as with its strip here, so that no strip is crossed. */
export function cornersOf(route: Route, { width, height, strip, columnPitch, rowPitch }: Density): readonly Point[] {
  const corners: Point[] = [];
  const gutter = columnPitch - width;
  const gap = rowPitch - height - strip;
  for (let index = 0; index + 3 < route.length; index += 4) {
    const [column = 0, across = 0, row = 0, below = 0] = [route[index], route[index + 1], route[index + 2], route[index + 3]];
    const x = across < 0 ? across * gutter : across > 1 ? width + (across - 1) * gutter : across * width;
    const y = below < 0 ? below * gap : below > 1 ? height + strip + (below - 1) * gap : below * height;
    corners.push({ x: column * columnPitch + x, y: row * rowPitch + y });
  }
  return corners;
}

/** A rectangle, pixels at 100 %. */
export interface Bounds extends Point {
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle around all cards. */
export function boundsOf(slots: Iterable<Slot>, density: Density): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const slot of slots) {
    const { x, y } = pointOf(slot, density);
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + density.width);
    bottom = Math.max(bottom, y + density.height + density.strip);
  }
  return left === Infinity ? { x: 0, y: 0, width: 0, height: 0 } : { x: left, y: top, width: right - left, height: bottom - top };
}

/** Where the canvas is looked at: screen = canvas × zoom + (x, y). */
export interface View extends Point {
  readonly zoom: number;
}

/** Of a canvas on the screen, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const MARGIN = 14;
/** Room above the first row for the titles of the columns. */
const TITLES = 34;

/** Height of the legend below the canvas. */
export const LEGEND_PX = 40;

/** What of a canvas is left for cards. */
export function roomOf(size: Size): Size {
  return { width: Math.max(1, size.width - 2 * MARGIN), height: Math.max(1, size.height - MARGIN - TITLES) };
}

/** The view that shows everything, never above 100 %. */
export function fitView(bounds: Bounds, size: Size): View {
  const room = roomOf(size);
  const zoom = Math.max(0.02, Math.min(1, room.width / Math.max(1, bounds.width), room.height / Math.max(1, bounds.height)));
  return { zoom, x: MARGIN + (room.width - bounds.width * zoom) / 2 - bounds.x * zoom, y: TITLES - bounds.y * zoom };
}

/** Whether all of a picture is seen. */
export function isSeenWhole(bounds: Bounds, view: View, size: Size): boolean {
  const [left, top] = [bounds.x * view.zoom + view.x, bounds.y * view.zoom + view.y];
  return left >= 0 && top >= 0 && left + bounds.width * view.zoom <= size.width && top + bounds.height * view.zoom <= size.height;
}

/** The first view: everything if the names can be read, else the top left, where the worst stands. */
export function firstView(bounds: Bounds, size: Size): View {
  const fit = fitView(bounds, size);
  if (fit.zoom >= FAR_BELOW) return { ...fit, x: Math.min(fit.x, MARGIN - bounds.x * fit.zoom) };
  const across = Math.min(1, (size.width - 2 * MARGIN) / Math.max(1, bounds.width));
  const zoom = Math.max(0.8, across);
  return { zoom, x: MARGIN - bounds.x * zoom, y: TITLES - bounds.y * zoom };
}

/** A card in the middle, but nothing left free above and left of the picture while there is more below and right of it. */
export function centredOn(box: Bounds, zoom: number, look: { readonly size: Size; readonly bounds: Bounds }): View {
  const { size, bounds } = look;
  const x = size.width / 2 - (box.x + box.width / 2) * zoom;
  const y = size.height / 2 - (box.y + box.height / 2) * zoom;
  return { zoom, x: Math.min(x, MARGIN - bounds.x * zoom), y: Math.min(y, TITLES - bounds.y * zoom) };
}

/** Whether any of a card at this point is seen. */
export function isInView(at: Point, options: { readonly density: Density; readonly view: View; readonly size: Size }): boolean {
  return sideOf(at, options) === undefined;
}

/** Where a card lies that is out of sight; `undefined` for one that is seen. */
export function sideOf(
  at: Point,
  { density, view, size }: { readonly density: Density; readonly view: View; readonly size: Size },
): "left" | "right" | "above" | "below" | undefined {
  const left = at.x * view.zoom + view.x;
  const top = at.y * view.zoom + view.y;
  if (left + density.width * view.zoom <= 0) return "left";
  if (left >= size.width) return "right";
  if (top + density.height * view.zoom <= 0) return "above";
  return top >= size.height ? "below" : undefined;
}

/** Size of a name on the screen, in pixels: it grows in its card as the picture shrinks (`node-card.module.css`). Below `far` there are the names of areas instead. */
export function namePixels(zoom: number): number {
  if (detailOf(zoom) === "near") return COMFORTABLE.nameFont * zoom;
  return (zoom < SMALL_BELOW ? 28 : 20) * zoom;
}

/** Whether a box is seen whole: neither cut by an edge, nor below the titles or what covers a corner. */
export function isInSight(box: Bounds, view: View, { size, cover }: { readonly size: Size; readonly cover?: Box | undefined }): boolean {
  const { left, top, right, bottom } = shownAt(box, view);
  // Half a pixel is what rounding leaves.
  if (left < -0.5 || top < TITLES - 0.5 || right > size.width + 0.5 || bottom > size.height + 0.5) return false;
  return cover === undefined || left >= cover.right || right <= cover.left || top >= cover.bottom || bottom <= cover.top;
}

/** The view moved just so far that the box is seen, and not below what covers a corner; of one that is too large, its upper left. */
export function panInto(box: Bounds, view: View, { size, cover }: { readonly size: Size; readonly cover?: Box | undefined }): View {
  const shown = shownAt(box, view);
  const room = { left: EDGE_PX, top: TITLES + 4, right: size.width - EDGE_PX, bottom: size.height - EDGE_PX };
  const { x, y } = shiftIntoSight(shown, room, cover);
  return { zoom: view.zoom, x: view.x + x, y: view.y + y };
}

function shownAt(box: Bounds, view: View): Box {
  const left = box.x * view.zoom + view.x;
  const top = box.y * view.zoom + view.y;
  return { left, top, right: left + box.width * view.zoom, bottom: top + box.height * view.zoom };
}

/** How far a box must move to lie in the room, and not below what covers a corner of it: as little as does it. */
export function shiftIntoSight(box: Box, room: Box, cover: Box | undefined): { readonly x: number; readonly y: number } {
  const x = shiftInto([box.left, box.right], [room.left, room.right]);
  const y = shiftInto([box.top, box.bottom], [room.top, room.bottom]);
  if (cover === undefined) return { x, y };
  const [left, top, right, bottom] = [box.left + x, box.top + y, box.right + x, box.bottom + y];
  if (left >= cover.right + GAP_PX || right <= cover.left - GAP_PX || top >= cover.bottom + GAP_PX || bottom <= cover.top - GAP_PX)
    return { x, y };
  const aside = cover.right + GAP_PX - left;
  const above = bottom - (cover.top - GAP_PX);
  // It covers the lower left corner: there is room to its right and above it, or there is none at all.
  return aside < above && right + aside <= room.right ? { x: x + aside, y } : { x, y: y - above };
}

function shiftInto([from, to]: Span, [first, last]: Span): number {
  if (from < first || to - from > last - first) return first - from;
  return to > last ? last - to : 0;
}
