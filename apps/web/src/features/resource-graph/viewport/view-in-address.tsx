"use client";
import { useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { useUrlState } from "../../address/use-url-state.ts";
import type { Density, Size } from "@binnacle/presentation/drawing/geometry";
import type { GraphView } from "./use-graph-view.ts";
import { placeOf } from "./view-place.ts";

/** So long a view stands still before it is written. */
const SETTLED_MS = 250;

/**
 * Keeps the view in the address, once a person has moved it, so that a link shows the same. It is no step of its own: Back leads to where the
 * view was before the last one.
 */
export function ViewInAddress(props: { readonly graphView: GraphView; readonly density: Density; readonly size: Size }): null {
  const { graphView, density, size } = props;
  const [{ at }, setUrl] = useUrlState();
  const now = useStore(({ transform: [x, y, zoom] }) => (size.width === 0 ? "" : placeOf({ x, y, zoom }, { size, density })));
  // What both sides agree on: whichever differs from it is the one that has changed.
  const agreed = useRef(at);
  useEffect(() => {
    if (at === agreed.current) return;
    agreed.current = at;
    graphView.goTo(at);
  }, [at, graphView]);
  useEffect(() => {
    if (now === agreed.current || !graphView.isChosen()) return undefined;
    const timer = setTimeout(() => {
      agreed.current = now;
      setUrl({ at: now }, "replace");
    }, SETTLED_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a step without a place gets that of the view
  }, [now, at, graphView, setUrl]);
  return null;
}
