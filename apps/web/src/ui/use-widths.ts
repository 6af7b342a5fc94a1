import { useCallback, useState, type RefCallback } from "react";

/**
 * How wide the children of an element are, in whole pixels, as it is drawn; empty until then. One observer for a table, whose cells are as
 * wide as its heads.
 *
 * @returns what the element is to have as its `ref`, and the widths
 */
export function useWidths(): readonly [RefCallback<HTMLElement>, readonly number[]] {
  const [widths, setWidths] = useState<readonly number[]>([]);
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const next = Array.from(element.children, (child) => child.clientWidth);
      setWidths((before) => (before.join() === next.join() ? before : next));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [observe, widths];
}
