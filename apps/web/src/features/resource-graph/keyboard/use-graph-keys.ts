"use client";
import { useCallback, type KeyboardEvent, type RefObject } from "react";
import { runLocalKey } from "../../../ui/keys/local-keys.ts";
import { isProblem } from "../../live/health-status.ts";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import { selectionOf } from "../../address/url-state.ts";
import type { Around } from "../around/use-around.ts";
import type { Density } from "@binnacle/presentation/drawing/geometry";
import type { GraphSession } from "../picture/graph-session.ts";
import { focusWhenThere } from "./focus-when-there.ts";
import type { RovingFocus } from "./roving-focus.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";
import { readingOrder, walk, type Direction } from "./walk.ts";

interface Options {
  readonly session: GraphSession;
  readonly density: Density;
  readonly focus: RovingFocus;
  readonly graphView: GraphView;
  readonly root: RefObject<HTMLElement | null>;
  readonly around: Around;
  readonly chosen: { readonly choose: (cardId: string) => void; readonly chooseNone: () => boolean };
}

/** Keys of the graph, as the table of shortcuts has them; from afar, where no card is there, an arrow or Enter goes to one. */
export function useGraphKeys(options: Options): (event: KeyboardEvent) => void {
  const { session, density, focus, graphView, root, around, chosen } = options;
  const { choose, chooseNone } = chosen;
  const store = useEnvironmentStore();
  return useCallback(
    (event) => {
      const picture = session.picture();
      const onCard = event.target instanceof HTMLElement && event.target.dataset["nodeId"] !== undefined;
      const goTo = (id: string | undefined): void => {
        if (id === undefined) return;
        focus.set(id);
        graphView.show(id, 0.72);
        focusWhenThere(root, id);
      };
      const enter = (): boolean => {
        goTo(picture.cards.has(focus.current) ? focus.current : readingOrder(picture)[0]);
        return true;
      };
      const isOutside = event.target === root.current;
      const step = (direction: Direction): boolean => {
        if (isOutside) return enter();
        if (onCard) goTo(walk({ ...picture, density }, focus.current, direction));
        return onCard;
      };
      const problem = (by: 1 | -1): void => {
        const problems = readingOrder(picture).filter((id) => isProblem(picture.cards.get(id)?.card.status ?? 0));
        const at = problems.indexOf(focus.current);
        goTo(problems.at(at < 0 ? 0 : (at + by) % problems.length));
      };
      runLocalKey("graph", event, {
        open: () => isOutside && enter(),
        along: () => step("right"),
        back: () => step("left"),
        up: () => step("up"),
        down: () => step("down"),
        fold: () => {
          const foldId = picture.cards.get(focus.current)?.card.foldId ?? "";
          // On a fold it is a press of its button.
          if (!onCard || foldId === "") return false;
          graphView.anchor(focus.current);
          session.toggleFold(foldId);
          return true;
        },
        choose: () => {
          if (onCard) choose(focus.current);
          return onCard;
        },
        chooseNone,
        moreHops: () => {
          const ref = onCard ? store.node(focus.current)?.ref : undefined;
          return around.more(ref === undefined ? "" : selectionOf(ref));
        },
        fewerHops: () => around.fewer(),
        nextProblem: () => problem(1),
        previousProblem: () => problem(-1),
        fit: () => graphView.fit(),
        whole: () => graphView.zoomTo(1),
        closer: () => graphView.zoomTo(graphView.current().zoom * 1.25),
        farther: () => graphView.zoomTo(graphView.current().zoom / 1.25),
      });
    },
    [session, density, focus, graphView, root, around, choose, chooseNone, store],
  );
}
