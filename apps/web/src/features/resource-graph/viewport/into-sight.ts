import { TITLES, type Bounds, type Size, type View } from "./geometry.ts";

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
