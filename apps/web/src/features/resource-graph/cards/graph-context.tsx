"use client";
import { createContext, use, useCallback, useSyncExternalStore, type MouseEvent, type ReactNode } from "react";
import type { Density } from "@binnacle/presentation/drawing/geometry";
import type { RovingFocus } from "../keyboard/roving-focus.ts";

/** What cards need of the graph they stand in. Stable but for density, selection, choice and search. */
export interface GraphActions {
  readonly density: Density;
  readonly focus: RovingFocus;
  /** Selected resource as the address names it. */
  readonly sel: string;
  /** Cards that show what a search has found, all others are dim; absent while nothing is looked for. */
  readonly hits: ReadonlySet<string> | undefined;
  /** The one of them that one is at; empty for none. */
  readonly hit: string;
  /** Ids of nodes that are chosen, to act on all of them. */
  readonly chosen: ReadonlySet<string>;
  /** Chooses a card or its members, or leaves them out again where they are. */
  readonly choose: (cardId: string) => void;
  /** Opens the drawer, or the fold. */
  readonly activate: (cardId: string) => void;
}

const GraphContext = createContext<GraphActions | undefined>(undefined);

/** Gives the actions to the cards. */
export function GraphActionsProvider({ value, children }: { readonly value: GraphActions; readonly children: ReactNode }): ReactNode {
  return <GraphContext value={value}>{children}</GraphContext>;
}

/** The actions of the graph around. */
export function useGraphActions(): GraphActions {
  const actions = use(GraphContext);
  if (actions === undefined) throw new Error("no graph above");
  return actions;
}

/** A click opens a card; with Shift, Control or Command it chooses it. */
export function clickOf({ activate, choose }: GraphActions, cardId: string): (event: MouseEvent) => void {
  return ({ shiftKey, ctrlKey, metaKey }) => (shiftKey || ctrlKey || metaKey ? choose(cardId) : activate(cardId));
}

/** Whether this card is the tab stop. */
export function useIsTabStop(focus: RovingFocus, id: string): boolean {
  const subscribe = useCallback((listener: () => void) => focus.subscribe(id, listener), [focus, id]);
  const read = (): boolean => focus.current === id;
  return useSyncExternalStore(subscribe, read, read);
}
