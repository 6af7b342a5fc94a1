import type { Slot } from "@binnacle/presentation/layout/card";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";
import { pointOf, type Density, type View } from "@binnacle/presentation/drawing/geometry";
import type { Palette } from "./painter.ts";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { shortenMiddle } from "@binnacle/presentation/text/shorten-middle";
import { titleOfFold } from "@binnacle/presentation/layout/fold-title";
import { tLater } from "../../../ui/messages.ts";

/** A block of the picture, and what it is called from afar. */
export interface Area {
  readonly label: string;
  readonly at: Slot;
  readonly worst: number;
}

/** The blocks of a picture, the worst first: named by their workload, those that belong to none by their namespace. */
export function areasOf(cards: Iterable<PlacedCard>): readonly Area[] {
  const areas = new Map<string, { label: string; at: Slot; worst: number }>();
  for (const { card, slot } of cards) {
    const known = areas.get(card.block);
    const label = card.id === card.block ? (card.type === "fold" ? titleOfFold(card) : drawnName(card.name)) : undefined;
    if (known === undefined) {
      areas.set(card.block, {
        label: label ?? tLater("resource-graph/others", { namespace: drawnName(card.namespace) }),
        at: slot,
        worst: card.status,
      });
      continue;
    }
    if (label !== undefined) known.label = label;
    known.worst = Math.max(known.worst, card.status);
    const { lane, column, row } = known.at;
    known.at = { lane, column: Math.min(column, slot.column), row: Math.min(row, slot.row) };
  }
  return [...areas.values()].sort((one, two) => two.worst - one.worst || one.at.lane - two.at.lane || one.at.row - two.at.row);
}

const LETTERS = 36;
const HEIGHT = 14;

/** Labels at the upper left of their blocks, the worst first; one that would cover another is left out. */
export function paintAreas(
  context: CanvasRenderingContext2D,
  areas: readonly Area[],
  options: { readonly density: Density; readonly view: View; readonly palette: Palette },
): void {
  const { density, view, palette } = options;
  const taken: { readonly x: number; readonly y: number; readonly width: number }[] = [];
  context.font = '600 11px "Inter Variable", sans-serif';
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { label, at } of areas) {
    const point = pointOf(at, density);
    const x = point.x * view.zoom + view.x;
    const y = point.y * view.zoom + view.y - HEIGHT / 2;
    if (x + 200 < 0 || y + HEIGHT < 0 || x > context.canvas.width || y > context.canvas.height) continue;
    const text = shortenMiddle(label, LETTERS, (part) => part.length);
    const width = context.measureText(text).width + 8;
    if (taken.some((other) => Math.abs(other.y - y) < HEIGHT && x < other.x + other.width && other.x < x + width)) continue;
    taken.push({ x, y, width });
    context.fillStyle = palette.get("ground") ?? "white";
    context.fillRect(x, y - HEIGHT / 2, width, HEIGHT);
    context.fillStyle = palette.get("ink") ?? "black";
    context.fillText(text, x + 4, y);
  }
}
