"use client";
import { useEffect, useRef } from "react";
import type { Picture } from "../picture/picture.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";
import type { Around } from "./use-around.ts";

/** When another part is shown, the resource in its middle stays where it is on the screen; then as much of the part as fits is moved into sight. */
export function useViewAround({ centre, hops, found }: Around, picture: Picture, graphView: GraphView): void {
  const id = found.kind === "live" ? found.node.id : "";
  const shown = useRef({ centre, hops, id });
  const isWaiting = useRef(false);
  useEffect(() => {
    const before = shown.current;
    shown.current = { centre, hops, id: id === "" ? before.id : id };
    if (before.centre === centre && before.hops === hops) return;
    graphView.anchor(shown.current.id);
    isWaiting.current = true;
  }, [centre, hops, id, graphView]);
  useEffect(() => {
    if (!isWaiting.current) return;
    isWaiting.current = false;
    if (centre !== "") graphView.showAll([...picture.cards.keys()]);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with the layout that follows
  }, [picture.layoutVersion]);
}
