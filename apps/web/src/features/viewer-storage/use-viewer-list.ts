"use client";
import { useSyncExternalStore } from "react";
import type { ViewerList } from "./viewer-list.ts";

const NOTHING: readonly never[] = [];

/** What a viewer keeps in this browser; nothing in HTML, and while the viewer is unknown. */
export function useViewerList<T>(list: ViewerList<T>, viewer: string | undefined): readonly T[] {
  return useSyncExternalStore<readonly T[]>(
    list.subscribe,
    () => list.of(viewer),
    () => NOTHING,
  );
}
