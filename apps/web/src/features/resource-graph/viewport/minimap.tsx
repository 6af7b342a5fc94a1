/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a canvas is the picture */
"use client";
import { useEffect, useRef, type ReactNode } from "react";
import { isSeenWhole, type Bounds, type Density, type View } from "@binnacle/presentation/drawing/geometry";
import type { Picture } from "../picture/picture.ts";
import { paintBlocks, prepare, readPalette } from "./painter.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Preference, usePreference } from "../../../ui/preference.ts";
import { tLater } from "../../../ui/messages.ts";
import styles from "./viewport.module.css";

/** Whether the viewer wants it. */
const MINIMAP = new Preference<"open" | "closed">("minimap", "open", (text) => text === "open" || text === "closed");

/** The whole graph in small, with the part that is looked at. A pointer's convenience: the keyboard has walking, fit and the tree. */
export function Minimap(props: MinimapProps): ReactNode {
  const [wanted, setWanted] = usePreference(MINIMAP);
  // What is seen whole is its own map.
  if (isSeenWhole(props.bounds, props.view, props.size)) return null;
  if (wanted === "closed") {
    return (
      <button type="button" className={`btn sm ${styles["openMinimap"]}`} onClick={() => setWanted("open")}>
        {tLater("resource-graph/map")}
      </button>
    );
  }
  return (
    <>
      <MinimapCanvas {...props} />
      <button
        type="button"
        className={`btn ghost icon sm ${styles["closeMinimap"]}`}
        aria-label={tLater("resource-graph/close-the-minimap")}
        onClick={() => setWanted("closed")}
      >
        <Icon name="x" size={12} />
      </button>
    </>
  );
}

interface MinimapProps {
  readonly picture: Picture;
  readonly density: Density;
  readonly bounds: Bounds;
  readonly view: View;
  readonly size: { readonly width: number; readonly height: number };
  readonly onMove: (canvasX: number, canvasY: number) => void;
}

function MinimapCanvas(props: MinimapProps): ReactNode {
  const { picture, density, bounds, view, size, onMove } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = useRef({ zoom: 1, x: 0, y: 0 });
  useEffect(() => {
    const element = canvas.current;
    const prepared = element === null ? undefined : prepare(element);
    if (element === null || prepared === undefined) return;
    const { context, width, height } = prepared;
    const zoom = Math.min((width - 12) / Math.max(1, bounds.width), (height - 12) / Math.max(1, bounds.height), 0.2);
    const own = { zoom, x: (width - bounds.width * zoom) / 2 - bounds.x * zoom, y: (height - bounds.height * zoom) / 2 - bounds.y * zoom };
    scale.current = own;
    const palette = readPalette(element);
    paintBlocks(context, picture.cards.values(), { density, view: own, palette });
    context.strokeStyle = palette.get("accent") ?? "black";
    context.lineWidth = 1.5;
    const left = Math.max(1, (-view.x / view.zoom) * zoom + own.x);
    const top = Math.max(1, (-view.y / view.zoom) * zoom + own.y);
    const right = Math.min(width - 1, ((size.width - view.x) / view.zoom) * zoom + own.x);
    const bottom = Math.min(height - 1, ((size.height - view.y) / view.zoom) * zoom + own.y);
    if (right > left && bottom > top) context.strokeRect(left, top, right - left, bottom - top);
  }, [picture, density, bounds, view, size]);
  const move = (event: React.PointerEvent<HTMLCanvasElement>): void => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { zoom, x, y } = scale.current;
    onMove((event.clientX - box.left - x) / zoom, (event.clientY - box.top - y) / zoom);
  };
  return (
    <canvas
      ref={canvas}
      className={styles["minimap"]}
      role="img"
      aria-label={tLater("resource-graph/minimap")}
      onPointerDown={move}
      onPointerMove={move}
    />
  );
}
