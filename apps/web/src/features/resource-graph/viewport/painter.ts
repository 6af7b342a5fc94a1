import type { Density, View } from "@binnacle/presentation/drawing/geometry";
import { pointOf } from "@binnacle/presentation/drawing/geometry";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import { lookOf } from "../../live/health-status.ts";

/** Colours of the states as the theme has them now. */
export type Palette = ReadonlyMap<string, string>;

/** Reads the palette from the custom properties of an element. */
export function readPalette(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const looks = ["healthy", "progressing", "degraded", "suspended", "missing", "unknown"];
  const colours = looks.map((look): [string, string] => [look, style.getPropertyValue(`--st-${look}`).trim()]);
  return new Map([
    ...colours,
    ["neutral", style.getPropertyValue("--line-strong").trim()],
    ["accent", style.getPropertyValue("--accent").trim()],
    ["ground", style.getPropertyValue("--surface").trim()],
    ["ink", style.getPropertyValue("--ink").trim()],
    ["cut", style.getPropertyValue("--glyph-cut").trim()],
  ]);
}

/** Sizes a canvas to its box in device pixels and clears it. */
export function prepare(
  canvas: HTMLCanvasElement,
): { readonly context: CanvasRenderingContext2D; readonly width: number; readonly height: number } | undefined {
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  const ratio = devicePixelRatio;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** Draws every card as a block in the colour of its state; folds with their count when there is room. Healthy ones are paler, so that trouble stands out. */
export function paintBlocks(
  context: CanvasRenderingContext2D,
  cards: Iterable<PlacedCard>,
  options: { readonly density: Density; readonly view: View; readonly palette: Palette },
): void {
  const { density, view, palette } = options;
  const width = density.width * view.zoom;
  const height = density.height * view.zoom;
  const counts = height > 12;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `600 ${Math.min(14, Math.max(9, height * 0.7))}px "Inter Variable", sans-serif`;
  for (const { card, slot } of cards) {
    const point = pointOf(slot, density);
    const x = point.x * view.zoom + view.x;
    const y = point.y * view.zoom + view.y;
    if (x + width < 0 || y + height < 0 || x > context.canvas.width || y > context.canvas.height) continue;
    const look = card.presence === "hidden" ? "neutral" : lookOf(card.status);
    context.globalAlpha = look === "healthy" ? 0.45 : 0.9;
    context.fillStyle = palette.get(look) ?? "gray";
    context.fillRect(x, y, Math.max(1.5, width), Math.max(1.5, height));
    context.globalAlpha = 1;
    if (!counts || card.type !== "fold") continue;
    context.fillStyle = palette.get("cut") ?? "white";
    context.fillText(String(card.members.length), x + width / 2, y + height / 2);
  }
}
