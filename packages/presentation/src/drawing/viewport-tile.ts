import type { View } from "./geometry.ts";

/** Screen pixels after which what is in sight is looked for again, and how far beyond the screen it reaches. */
const TILE_PX = 160;

/** A rectangle of the canvas, pixels at 100 %. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The part of the canvas in sight and a little more, as a text: equal until the view has moved by a tile, so that panning renders nothing. */
export function viewportTileOf(view: View, size: { readonly width: number; readonly height: number }): string {
  const tile = TILE_PX / view.zoom;
  const left = Math.floor(-view.x / view.zoom / tile - 1) * tile;
  const top = Math.floor(-view.y / view.zoom / tile - 1) * tile;
  const right = left + size.width / view.zoom + 3 * tile;
  const bottom = top + size.height / view.zoom + 3 * tile;
  return [left, top, right, bottom].map(Math.round).join(" ");
}

/** Whether a box is in sight; everything is for an empty text. */
export function boxInTile(tile: string): (box: Box) => boolean {
  if (tile === "") return () => true;
  const [left = 0, top = 0, right = 0, bottom = 0] = tile.split(" ").map(Number);
  return (box) => box.right >= left && box.left <= right && box.bottom >= top && box.top <= bottom;
}
