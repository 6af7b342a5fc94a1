/** A rectangle on the screen. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Span = readonly [number, number];

const GAP_PX = 8;

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
  if (from < first) return first - from;
  return to > last ? last - to : 0;
}
