"use client";
import { useMemo, useState, useEffect, useRef, type RefObject } from "react";
import type { SearchHits } from "../../filter/search-hits.ts";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import { focusWhenThere } from "../keyboard/focus-when-there.ts";
import type { RovingFocus } from "../keyboard/roving-focus.ts";
import type { GraphSession } from "../picture/graph-session.ts";
import type { Picture } from "../picture/picture.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";
import { hitsOf, cardOf } from "./hits-of.ts";

/** A resource that is to be seen. Renewed for every time that somebody looks for it. */
export interface GraphGoal {
  readonly id: string;
  /** The focus goes there too. */
  readonly focus: boolean;
  /** A fold that it is in is opened. While somebody types nothing is. */
  readonly reveal: boolean;
}

/** What a search has found in the picture. */
export interface GraphHits extends SearchHits {
  readonly goal: GraphGoal | undefined;
  /** Cards that show something that was found; absent while nothing is looked for. */
  readonly cards: ReadonlySet<string> | undefined;
  /** The card that one is at; empty for none. */
  readonly card: string;
}

/** Looks for a text in the picture, as often as one of the two changes. */
export function useGraphHits(picture: Picture, looked: string): GraphHits {
  const store = useEnvironmentStore();
  const hits = useMemo(() => hitsOf(picture.cards, store.nodes, looked), [picture, store, looked]);
  const cards = useMemo(() => (looked.trim() === "" ? undefined : new Set(hits.map(({ cardId }) => cardId))), [hits, looked]);
  const [goal, setGoal] = useState<GraphGoal>();
  const [asked, setAsked] = useState("");
  // The first hit of something new is shown at once, when there is a picture to find it in.
  if (asked !== looked && picture.version > 0) {
    setAsked(looked);
    const [first] = hits;
    setGoal(first === undefined ? undefined : { id: first.id, focus: false, reveal: false });
  }
  const index = hits.findIndex(({ id }) => id === goal?.id);
  const go = (id: string | undefined, focus: boolean): void => {
    if (id !== undefined) setGoal({ id, focus, reveal: true });
  };
  return {
    total: hits.length,
    at: index + 1,
    goal,
    cards,
    card: hits[index]?.cardId ?? "",
    step: (by) => go(hits.at(index < 0 ? (by > 0 ? 0 : -1) : (index + by) % hits.length)?.id, false),
    leave: () => go((hits[index] ?? hits[0])?.id, true),
  };
}

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
