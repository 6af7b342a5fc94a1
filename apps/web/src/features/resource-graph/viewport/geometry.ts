import type { Slot } from "../layout/card.ts";
import { LANE_COLUMNS } from "../layout/layout-cards.ts";

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
  rowPitch: 88,
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
  rowPitch: 75,
  nameFont: 12,
  nameRoom: 103,
};

/** Zoom below which cards become blocks, and below which they show icon and name only. */
const FAR_BELOW = 0.35;
const MIDDLE_BELOW = 0.7;

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

const MARGIN = 14;
/** Room above the first row for the titles of the columns. */
export const TITLES = 34;

/** The view that shows everything, never above 100 %. */
export function fitView(bounds: Bounds, size: { readonly width: number; readonly height: number }): View {
  const room = { width: Math.max(1, size.width - 2 * MARGIN), height: Math.max(1, size.height - MARGIN - TITLES) };
  const zoom = Math.max(0.02, Math.min(1, room.width / Math.max(1, bounds.width), room.height / Math.max(1, bounds.height)));
  return { zoom, x: MARGIN + (room.width - bounds.width * zoom) / 2 - bounds.x * zoom, y: TITLES - bounds.y * zoom };
}

/** The first view: everything if it can be read, else the top left, where the worst stands. */
export function firstView(bounds: Bounds, size: { readonly width: number; readonly height: number }): View {
  const fit = fitView(bounds, size);
  if (fit.zoom >= MIDDLE_BELOW) return { ...fit, x: Math.min(fit.x, MARGIN - bounds.x * fit.zoom) };
  const across = Math.min(1, (size.width - 2 * MARGIN) / Math.max(1, bounds.width));
  const zoom = Math.max(0.78, across);
  return { zoom, x: MARGIN - bounds.x * zoom, y: TITLES - bounds.y * zoom };
}
