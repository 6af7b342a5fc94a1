"use client";
import { useEffect, type RefObject } from "react";
import { useView } from "../../live/environment-context.tsx";

/** Marks the page with the number and the sending time of the last applied message, for whoever measures event to pixel. */
export function ViewVersion({ root }: { readonly root: RefObject<HTMLDivElement | null> }): null {
  const { version, sentAtMs } = useView();
  useEffect(() => {
    root.current?.setAttribute("data-view-version", String(version));
    root.current?.setAttribute("data-sent-at", String(sentAtMs));
  }, [root, version, sentAtMs]);
  return null;
}
