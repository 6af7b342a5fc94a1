import type { Bounds, Density, Size, View } from "@binnacle/presentation/drawing/geometry";

interface Look {
  readonly size: Size;
  readonly density: Density;
}

/** A view as a link has it (`UrlState.at`). Coarse, and of the middle: a window of another size, with other cards, shows the same. */
export function placeOf({ x, y, zoom }: View, { size, density }: Look): string {
  const column = (size.width / 2 - x) / zoom / density.columnPitch;
  const row = (size.height / 2 - y) / zoom / density.rowPitch;
  return [tenths(column), tenths(row), Math.round(zoom * 100)].join(",");
}

/** The view that a link leads to; nothing where there is no card any more. */
export function viewAt(place: string, { size, density }: Look, bounds: Bounds): View | undefined {
  const [column, row, percent] = place.split(",").map(Number);
  if (column === undefined || row === undefined || percent === undefined) return undefined;
  const zoom = percent / 100;
  const [x, y] = [size.width / 2 - column * density.columnPitch * zoom, size.height / 2 - row * density.rowPitch * zoom];
  const [left, top] = [bounds.x * zoom + x, bounds.y * zoom + y];
  const isSeen = left < size.width && top < size.height && left + bounds.width * zoom > 0 && top + bounds.height * zoom > 0;
  return isSeen ? { x, y, zoom } : undefined;
}

function tenths(value: number): number {
  // No "-0".
  return Math.round(value * 10) / 10 || 0;
}
