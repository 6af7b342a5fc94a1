import { useCallback, useEffect, useRef, type FocusEvent, type RefObject } from "react";

/**
 * From afar no card is in the page: the graph itself is the tab stop, and takes over from the card that had the focus, so that the keys
 * go on. Readers hear its name, which says what is in it.
 *
 * @returns what the graph does on focus and on blur
 */
export function useFarFocus(root: RefObject<HTMLElement | null>, far: boolean) {
  const inside = useRef(false);
  useEffect(() => {
    // The card that has it is about to leave the page, or has left: it takes the focus with it and says nothing.
    if (far && inside.current) root.current?.focus({ preventScroll: true });
  }, [root, far]);
  const onFocusInside = useCallback(
    (event: FocusEvent<HTMLElement>) => {
      inside.current = event.target === root.current || event.target.dataset["nodeId"] !== undefined;
    },
    [root],
  );
  const onBlurInside = useCallback((event: FocusEvent<HTMLElement>) => {
    if (event.relatedTarget !== null) inside.current = false;
  }, []);
  return { onFocusInside, onBlurInside };
}
