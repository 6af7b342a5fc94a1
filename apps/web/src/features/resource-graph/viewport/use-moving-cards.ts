"use client";
import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import type { Picture } from "../picture/graph-session.ts";

/** A little longer than the transition in `graph-canvas.module.css`. */
const MOVE_MS = 320;

/**
 * Marks the canvas while cards make room for others, so that styles let them glide there. Cards and the view glide alike: what is kept in
 * place stands still.
 *
 * @returns ends it at once: a person moves the view, and that follows the hand
 */
export function useMovingCards(root: RefObject<HTMLElement | null>, picture: Picture): () => void {
  const timer = useRef<number>(undefined);
  const end = useCallback(() => {
    clearTimeout(timer.current);
    root.current?.removeAttribute("data-moving");
  }, [root]);
  // Before React Flow takes the new places.
  useLayoutEffect(() => {
    if (!picture.moved) return;
    root.current?.setAttribute("data-moving", "");
    clearTimeout(timer.current);
    timer.current = window.setTimeout(end, MOVE_MS);
  }, [root, picture.version, picture.moved, end]);
  useEffect(() => end, [end]);
  return end;
}
