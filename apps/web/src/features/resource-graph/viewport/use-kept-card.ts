"use client";
import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { isInView, pointOf, type Density, type Point, type Size } from "./geometry.ts";
import type { Picture } from "../picture/picture.ts";

interface KeptOptions {
  readonly picture: Picture;
  readonly density: Density;
  readonly size: Size;
  readonly selectedId: string;
  /** The card under the pointer, if any. */
  readonly hoveredId: () => string;
}

/** What makes room for new cards does not take away what somebody reads: the card under the pointer, else the chosen one, stays where it is on the screen. */
export function useKeptCard({ picture, density, size, selectedId, hoveredId }: KeptOptions, moved: () => void): void {
  const flow = useReactFlow();
  const kept = useRef<{ readonly id: string; readonly at: Point; readonly layoutVersion: number; readonly density: Density }>(undefined);
  useEffect(() => {
    const before = kept.current;
    const placed = before === undefined ? undefined : picture.cards.get(before.id);
    if (before !== undefined && placed !== undefined && before.layoutVersion === picture.layoutVersion && before.density === density) {
      const at = pointOf(placed.slot, density);
      const view = flow.getViewport();
      const shift = { x: (before.at.x - at.x) * view.zoom, y: (before.at.y - at.y) * view.zoom };
      if ((shift.x !== 0 || shift.y !== 0) && isInView(before.at, { density, view, size })) {
        moved();
        void flow.setViewport({ ...view, x: view.x + shift.x, y: view.y + shift.y });
      }
    }
  }, [picture, density, size, flow, moved]);
  // What is under the pointer when the next picture comes is not known before: it is looked at again whenever the pointer may have moved.
  useEffect(() => {
    const look = (): void => {
      const id = hoveredId() || selectedId;
      const placed = picture.cards.get(id);
      kept.current =
        placed === undefined ? undefined : { id, at: pointOf(placed.slot, density), layoutVersion: picture.layoutVersion, density };
    };
    look();
    addEventListener("pointermove", look, { passive: true });
    return () => removeEventListener("pointermove", look);
  }, [picture, density, selectedId, hoveredId]);
}
