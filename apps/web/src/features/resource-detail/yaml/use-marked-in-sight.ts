"use client";
import { useEffect, type RefObject } from "react";

/** Brings the lines that a link is about into sight, when it names others; not when the object changes: whoever reads on stays there. */
export function useMarkedInSight(region: RefObject<HTMLElement | null>, from: number | undefined): void {
  useEffect(() => {
    const marked = from === undefined ? null : region.current?.querySelector("[data-marked]");
    if (!marked) return;
    const [inner, outer] = [marked.getBoundingClientRect(), region.current?.getBoundingClientRect()];
    // Whoever has clicked at a line sees it.
    if (outer && inner.top >= outer.top && inner.top < outer.bottom - inner.height / 2) return;
    marked.scrollIntoView({ block: "center", inline: "nearest" });
  }, [region, from]);
}
