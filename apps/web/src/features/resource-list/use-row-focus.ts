import { useLayoutEffect, useMemo, useRef, type FocusEvent, type RefObject } from "react";

interface RowFocus {
  /** The row gets the focus as soon as it is in the page. */
  readonly want: (id: string) => void;
  readonly onFocus: () => void;
  /** Whether the focus has left the rows. */
  readonly isLeft: (event: FocusEvent) => boolean;
}

/** The focus of the rows, which no scrolling and no update takes away: rows come into the page and leave it. */
export function useRowFocus(scroller: RefObject<HTMLElement | null>, tabStop: string | undefined): RowFocus {
  const wanted = useRef("");
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const root = scroller.current;
    // A resource that is gone takes the focus with it: the row in its place gets it.
    const isLost = hadFocus.current && document.activeElement === document.body;
    const id = isLost ? tabStop : wanted.current;
    if (root === null || id === undefined || id === "") return;
    const row = root.querySelector<HTMLElement>(`[role="row"][data-node-id="${CSS.escape(id)}"]`);
    if (row === null) return;
    wanted.current = "";
    row.focus({ preventScroll: true });
  });
  return useMemo(
    () => ({
      want(id) {
        wanted.current = id;
      },
      onFocus() {
        hadFocus.current = true;
      },
      isLeft(event) {
        // Blurred by being taken out of the page it is nobody's doing.
        if (event.relatedTarget === null && document.activeElement === document.body && !event.target.isConnected) return false;
        hadFocus.current = false;
        return true;
      },
    }),
    [],
  );
}
