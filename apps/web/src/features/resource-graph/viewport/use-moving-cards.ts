"use client";
import { useEffect, useLayoutEffect, type RefObject } from "react";
import type { Picture } from "../picture/picture.ts";

/** A little longer than the transition in `graph-canvas.module.css`. */
const MOVE_MS = 320;

/**
 * Marks the canvas while cards make room for others, so that styles let them glide there. Cards and the view glide alike: what is kept in
 * place stands still.
 */
export function useMovingCards(root: RefObject<HTMLElement | null>, picture: Picture): void {
  // Before React Flow takes the new places.
  useLayoutEffect(() => {
    if (picture.moved) root.current?.setAttribute("data-moving", "");
  }, [root, picture]);
  useEffect(() => {
    if (root.current?.hasAttribute("data-moving") !== true) return undefined;
    const timer = setTimeout(() => endMove(root), MOVE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- every picture may have set the mark
  }, [root, picture]);
}

/** Ends it at once: a person moves the view, and that follows the hand. */
export function endMove(root: RefObject<HTMLElement | null>): void {
  root.current?.removeAttribute("data-moving");
}
