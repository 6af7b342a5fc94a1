"use client";
import { useCallback, useState } from "react";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import type { LiveNode } from "../../live/live-node.ts";
import type { Card } from "@binnacle/presentation/layout/card";
import type { GraphSession } from "../picture/graph-session.ts";

const NONE: ReadonlySet<string> = new Set();

/** Which nodes of a graph are chosen, to act on all of them. */
export interface ChosenCards {
  readonly ids: ReadonlySet<string>;
  /** Those of them that are there. */
  readonly nodes: readonly LiveNode[];
  /** How many of `nodes` the filters hide. */
  readonly hidden: number;
  /** A card, or all members of a fold; where all of them are chosen they are left out again. */
  readonly choose: (cardId: string) => void;
  /** @returns whether anything was chosen */
  readonly chooseNone: () => boolean;
}

/** Follows the choice of one graph, which ends with it. */
export function useChosenCards(session: GraphSession): ChosenCards {
  const store = useEnvironmentStore();
  const [ids, setIds] = useState(NONE);
  const choose = useCallback(
    (cardId: string) => {
      const card = session.picture().cards.get(cardId)?.card;
      if (card === undefined) return;
      setIds((before) => toggled(before, membersOf(card)));
    },
    [session],
  );
  const isEmpty = ids.size === 0;
  const chooseNone = useCallback(() => {
    if (!isEmpty) setIds(NONE);
    return !isEmpty;
  }, [isEmpty]);
  const nodes = [...ids].flatMap((id) => {
    const node = store.node(id);
    return node?.ref === undefined ? [] : [node];
  });
  return { ids, nodes, hidden: isEmpty ? 0 : hiddenOf(nodes, session), choose, chooseNone };
}

function hiddenOf(nodes: readonly LiveNode[], session: GraphSession): number {
  const { cards } = session.picture();
  const shown = new Set([...cards.values()].flatMap(({ card }) => membersOf(card)));
  return nodes.filter(({ id }) => !shown.has(id)).length;
}

function membersOf(card: Card): readonly string[] {
  return card.type === "fold" ? card.members : [card.id];
}

function toggled(before: ReadonlySet<string>, members: readonly string[]): ReadonlySet<string> {
  const areAll = members.every((id) => before.has(id));
  return areAll ? new Set([...before].filter((id) => !members.includes(id))) : new Set([...before, ...members]);
}
