"use client";
import { useMemo, useState, useEffect, useRef, type RefObject } from "react";
import type { SearchHits } from "../../filter/search-hits.ts";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import { focusWhenThere } from "../keyboard/focus-when-there.ts";
import type { RovingFocus } from "../keyboard/roving-focus.ts";
import type { GraphSession } from "../picture/graph-session.ts";
import type { Picture } from "../picture/picture.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";
import { hasText } from "../../filter/node-filter.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { readingOrder } from "../keyboard/walk.ts";
import type { PlacedCard } from "@binnacle/presentation/layout/graph-engine";

const NOTHING: readonly Hit[] = [];

/** A resource to bring into view. A new object for each search. */
export interface GraphGoal {
  readonly id: string;
  /** The focus goes there too. */
  readonly focus: boolean;
  /** The fold that contains it is opened, but not while the user types. */
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
  const [followed, setFollowed] = useState("");
  // The first hit of something new is shown at once, when there is a picture to find it in.
  if (followed !== looked && picture.version > 0) {
    setFollowed(looked);
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

/** Leads to a resource: opens the folds that it is in, one after the other, moves the view to its card and, if requested, the focus. */
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

/** A resource that a search has found, and the card that shows it: its own, or the fold that it is in. */
interface Hit {
  readonly id: string;
  readonly cardId: string;
}

/** What is found, in the order that cards are read in; what a filter hides is not found. Linear but for the order. */
export function hitsOf(cards: ReadonlyMap<string, PlacedCard>, nodes: ReadonlyMap<string, LiveNode>, looked: string): readonly Hit[] {
  if (looked.trim() === "") return NOTHING;
  const foldOf = new Map<string, string>();
  for (const { card } of cards.values()) for (const id of card.members) foldOf.set(id, card.id);
  const byCard = new Map<string, Hit[]>();
  for (const node of nodes.values()) {
    if (!hasText(node, looked)) continue;
    const cardId = cardShowing(node, nodes, (id) => (cards.has(id) ? id : foldOf.get(id)));
    if (cardId === undefined) continue;
    const hits = byCard.get(cardId);
    if (hits === undefined) byCard.set(cardId, [{ id: node.id, cardId }]);
    else hits.push({ id: node.id, cardId });
  }
  return readingOrder({ cards }).flatMap((cardId) => byCard.get(cardId) ?? []);
}

/** The card that a resource is shown by now: its own, or the fold that it is in. */
export function cardOf(cards: ReadonlyMap<string, PlacedCard>, nodes: ReadonlyMap<string, LiveNode>, id: string): string | undefined {
  const node = nodes.get(id);
  if (node === undefined) return undefined;
  const all = [...cards.values()];
  return cardShowing(node, nodes, (each) => (cards.has(each) ? each : all.find(({ card }) => card.members.includes(each))?.card.id));
}

/** What lies below the members of a fold is shown by the fold. */
function cardShowing(
  start: LiveNode,
  nodes: ReadonlyMap<string, LiveNode>,
  cardOfId: (id: string) => string | undefined,
): string | undefined {
  const seen = new Set<string>();
  for (let node: LiveNode | undefined = start; node !== undefined && !seen.has(node.id); node = nodes.get(node.ownerId)) {
    const found = cardOfId(node.id);
    if (found !== undefined) return node === start || found !== node.id ? found : undefined;
    seen.add(node.id);
  }
  return undefined;
}
