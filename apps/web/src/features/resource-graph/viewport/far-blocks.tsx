/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a canvas is the picture */
"use client";
import { useEffect, useRef, type ReactNode } from "react";
import { pointOf, type Density, type View } from "@binnacle/presentation/drawing/geometry";
import type { Picture } from "../picture/picture.ts";
import { areasOf, paintAreas } from "./areas.ts";
import { paintBlocks, prepare, readPalette } from "./painter.ts";
import { tLater } from "../../../ui/messages.ts";
import styles from "./viewport.module.css";

/** Every card as a coloured block with the names of areas, drawn on one canvas: what a large graph looks like from afar. Lets the pointer through to the pane below. */
export function FarBlocks(props: {
  readonly picture: Picture;
  readonly density: Density;
  readonly view: View;
  readonly size: { readonly width: number; readonly height: number };
  /** Paint the cards as well; else only the labels above those of the page. */
  readonly blocks: boolean;
}): ReactNode {
  const { picture, density, view, size, blocks } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const prepared = element === null ? undefined : prepare(element);
    if (element === null || prepared === undefined) return;
    const palette = readPalette(element);
    if (blocks) paintBlocks(prepared.context, picture.cards.values(), { density, view, palette });
    paintAreas(prepared.context, areasOf(picture.cards.values()), { density, view, palette });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another size needs another drawing
  }, [picture, density, view, size, blocks]);
  return <canvas ref={canvas} className={styles["farBlocks"]} role="img" aria-label={tLater("resource-graph/overview-hint")} />;
}

/** The card at a point of the window; `box` is the canvas on the screen. */
export function cardAt(
  picture: Picture,
  options: { readonly density: Density; readonly view: View; readonly x: number; readonly y: number },
): string | undefined {
  const { density, view } = options;
  const x = (options.x - view.x) / view.zoom;
  const y = (options.y - view.y) / view.zoom;
  for (const { card, slot } of picture.cards.values()) {
    const point = pointOf(slot, density);
    if (x >= point.x && y >= point.y && x <= point.x + density.width && y <= point.y + density.height) return card.id;
  }
  return undefined;
}
