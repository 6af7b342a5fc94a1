"use client";
import { useEffect, useRef, type RefObject } from "react";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import { focusWhenThere } from "../keyboard/focus-when-there.ts";
import type { RovingFocus } from "../keyboard/roving-focus.ts";
import type { GraphSession } from "../picture/graph-session.ts";
import type { Picture } from "../picture/picture.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";
import { cardOf } from "./hits-of.ts";
import type { GraphGoal } from "./use-graph-hits.ts";

/** Leads to a resource: opens the folds that it is in, one after the other, moves the view to its card and, if asked to, the focus. */
export function useGoal(
  goal: GraphGoal | undefined,
  options: {
    readonly session: GraphSession;
    readonly picture: Picture;
    readonly graphView: GraphView;
    readonly focus: RovingFocus;
    readonly root: RefObject<HTMLElement | null>;
    /** Nothing can be moved into sight before the canvas has a size. */
    readonly isSized: boolean;
  },
): void {
  const { session, picture, graphView, focus, root, isSized } = options;
  const store = useEnvironmentStore();
  const done = useRef<GraphGoal>(undefined);
  useEffect(() => {
    if (goal === undefined || done.current === goal || !isSized) return;
    const cardId = cardOf(picture.cards, store.nodes, goal.id);
    const card = cardId === undefined ? undefined : picture.cards.get(cardId)?.card;
    if (cardId !== undefined && card?.type === "fold" && goal.reveal) {
      // With the answer of the layout it goes on.
      if (!picture.open.includes(cardId)) session.setOpen([...picture.open, cardId]);
      return;
    }
    done.current = goal;
    if (cardId === undefined) return;
    focus.set(cardId);
    graphView.show(cardId);
    if (goal.focus) focusWhenThere(root, cardId);
  }, [goal, session, picture, graphView, focus, root, isSized, store]);
}
