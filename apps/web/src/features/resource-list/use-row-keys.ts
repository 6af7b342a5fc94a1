import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, type FocusEvent, type RefObject } from "react";
import { runLocalKey } from "../../ui/keys/local-keys.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { isProblem, statusOf } from "../live/health-status.ts";
import { chooseAll, chooseNone, chooseTo, moveTo, toggle, type ListChoice } from "./list-choice.ts";

interface Options {
  readonly ids: readonly string[];
  readonly tabStop: string | undefined;
  readonly choice: ListChoice;
  readonly onChoice: (change: (before: ListChoice) => ListChoice) => void;
  /** Scrolls a row into sight and gives it the focus. */
  readonly focusRow: (id: string) => void;
  /** How many rows a page of the list is. */
  readonly pageRows: () => number;
}

/** Keys of the rows, as the table of shortcuts has them. */
export function useRowKeys({ ids, tabStop, choice, onChoice, focusRow, pageRows }: Options): (event: KeyboardEvent) => void {
  const store = useEnvironmentStore();
  const [, setUrl] = useUrlState();
  return (event) => {
    if (tabStop === undefined) return;
    const at = ids.indexOf(tabStop);
    const by = (step: number): string | undefined => ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    const go = (id: string | undefined): void => {
      if (id === undefined) return;
      onChoice((before) => moveTo(before, ids, id));
      focusRow(id);
    };
    const choose = (id: string | undefined): void => {
      if (id === undefined) return;
      onChoice((before) => chooseTo(before, ids, id));
      focusRow(id);
    };
    const isProblemAt = (id: string): boolean => {
      const node = store.node(id);
      return node !== undefined && isProblem(statusOf(node));
    };
    const problem = (step: number): void => {
      const found = ids.filter((id) => isProblemAt(id));
      const index = found.indexOf(tabStop);
      go(found.at(index < 0 ? 0 : (index + step) % found.length));
    };
    runLocalKey("list", event, {
      down: () => go(by(1)),
      up: () => go(by(-1)),
      first: () => go(ids[0]),
      last: () => go(ids.at(-1)),
      pageDown: () => go(by(pageRows())),
      pageUp: () => go(by(-pageRows())),
      open: () => {
        const ref = store.node(tabStop)?.ref;
        if (ref !== undefined) setUrl({ sel: selectionOf(ref) });
      },
      choose: () => onChoice((before) => toggle(before, tabStop)),
      chooseDown: () => choose(by(1)),
      chooseUp: () => choose(by(-1)),
      chooseAll: () => onChoice((before) => chooseAll(before, ids)),
      nextProblem: () => problem(1),
      previousProblem: () => problem(-1),
      clear: () => (choice.chosen.size === 0 ? false : onChoice(chooseNone)),
    });
  };
}

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
        // A blur because the row was removed from the page is not caused by the user.
        if (event.relatedTarget === null && document.activeElement === document.body && !event.target.isConnected) return false;
        hadFocus.current = false;
        return true;
      },
    }),
    [give],
  );
}
