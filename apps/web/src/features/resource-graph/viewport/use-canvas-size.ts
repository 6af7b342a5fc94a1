import { useEffect, useState, type RefObject } from "react";
import { LEGEND_PX, type Size } from "./geometry.ts";

/** How large the canvas is, without the legend below it; nothing before it is in the page. */
export function useCanvasSize(root: RefObject<HTMLDivElement | null>): Size {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight - LEGEND_PX }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [root]);
  return size;
}
