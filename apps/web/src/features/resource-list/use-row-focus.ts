import { useCallback, useLayoutEffect, useMemo, useRef, type FocusEvent, type RefObject } from "react";

interface RowFocus {
  /** The row gets the focus as soon as it is in the page. */
  readonly want: (id: string) => void;
  /** Gives it to a row that is in the page already, for which nothing renders again. */
  readonly take: () => void;
  readonly onFocus: () => void;
  /** Whether the focus has left the rows. */
  readonly isLeft: (event: FocusEvent) => boolean;
}

/** The focus of the rows, which no scrolling and no update takes away: rows come into the page and leave it. */
export function useRowFocus(scroller: RefObject<HTMLElement | null>, tabStop: string | undefined): RowFocus {
  const wanted = useRef("");
  const hadFocus = useRef(false);
  const give = useCallback(
    (id: string | undefined): void => {
      if (id === undefined || id === "") return;
      const row = scroller.current?.querySelector<HTMLElement>(`[role="row"][data-node-id="${CSS.escape(id)}"]`) ?? undefined;
      if (row === undefined) return;
      wanted.current = "";
      row.focus({ preventScroll: true });
    },
    [scroller],
  );
  useLayoutEffect(() => {
    // A resource that is gone takes the focus with it: the row in its place gets it.
    const isLost = hadFocus.current && document.activeElement === document.body;
    give(isLost ? tabStop : wanted.current);
  });
  return useMemo(
    () => ({
      want(id) {
        wanted.current = id;
      },
      take() {
        give(wanted.current);
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
    [give],
  );
}
