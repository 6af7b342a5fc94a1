"use client";
import { useCallback, type KeyboardEvent, type RefObject } from "react";
import { isProblem } from "../../live/health-status.ts";
import type { Density } from "../viewport/geometry.ts";
import type { GraphSession } from "../picture/graph-session.ts";
import type { RovingFocus } from "./roving-focus.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";
import { readingOrder, walk, type Direction } from "./walk.ts";

const ARROWS: Readonly<Record<string, Direction>> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

interface Options {
  readonly session: GraphSession;
  readonly density: Density;
  readonly focus: RovingFocus;
  readonly graphView: GraphView;
  readonly root: RefObject<HTMLElement | null>;
}

/** Keys of the graph: from afar, where no card is there, an arrow or Enter goes to one; arrows walk, Space folds again, `f` fits, `0` is 100 %, `+ -` zoom, `n N` go through the problems. */
export function useGraphKeys(options: Options): (event: KeyboardEvent) => void {
  const { session, density, focus, graphView, root } = options;
  return useCallback(
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
      const picture = session.picture();
      const direction = ARROWS[event.key];
      const onCard = event.target instanceof HTMLElement && event.target.dataset["nodeId"] !== undefined;
      if (event.target === root.current && (direction !== undefined || event.key === "Enter")) {
        event.preventDefault();
        const first = picture.cards.has(focus.current) ? focus.current : readingOrder(picture)[0];
        if (first !== undefined) goTo(first);
        return;
      }
      if (direction !== undefined && onCard) {
        event.preventDefault();
        const next = walk({ ...picture, density }, focus.current, direction);
        if (next !== undefined) goTo(next);
        return;
      }
      const foldId = picture.cards.get(focus.current)?.card.foldId ?? "";
      if (event.key === " " && onCard && foldId !== "") {
        event.preventDefault();
        graphView.anchor(focus.current);
        session.toggleFold(foldId);
      } else if (event.key === "f") graphView.fit();
      else if (event.key === "0") graphView.zoomTo(1);
      else if (event.key === "+" || event.key === "=") graphView.zoomTo(graphView.current().zoom * 1.25);
      else if (event.key === "-") graphView.zoomTo(graphView.current().zoom / 1.25);
      else if (event.key === "n" || event.key === "N") {
        const problems = readingOrder(picture).filter((id) => isProblem(picture.cards.get(id)?.card.status ?? 0));
        const at = problems.indexOf(focus.current);
        const step = event.key === "n" ? 1 : -1;
        const next = problems.at(at < 0 ? 0 : (at + step) % problems.length);
        if (next !== undefined) goTo(next);
      }

      function goTo(id: string): void {
        focus.set(id);
        graphView.show(id, 0.72);
        focusWhenThere(root, id, 10);
      }
    },
    [session, density, focus, graphView, root],
  );
}

/** A card out of sight is mounted some frames after the view has moved to it. */
function focusWhenThere(root: RefObject<HTMLElement | null>, id: string, frames: number): void {
  const card = root.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  if (card !== null && card !== undefined) card.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusWhenThere(root, id, frames - 1));
}
