"use client";
import { useMemo, useEffect, useRef } from "react";
import { encodeAround, parseAround } from "../../address/around-in-address.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import { useEnvironmentStore, useGraphVersion } from "../../live/environment-context.tsx";
import { selectedNode, type SelectedNode } from "../../live/selected-node.ts";
import type { Picture } from "../picture/picture.ts";
import type { GraphView } from "../viewport/use-graph-view.ts";

/** Focus mode: only what is around a resource, so many lines away, as the address says, and how to change that. */
export interface Around {
  /** The resource in the middle, as a selection; empty: everything is shown. */
  readonly centre: string;
  readonly hops: number;
  /** What is known of the resource in the middle. */
  readonly found: SelectedNode;
  /** One line further; where everything was shown, from this selection. @returns whether there was anything to do */
  readonly more: (from: string) => boolean;
  /** One line less; where there was only one, everything. @returns whether there was anything to do */
  readonly fewer: () => boolean;
  readonly end: () => void;
}

const NOTHING: SelectedNode = { kind: "none" };

/** Looks for the resource with every change: called once, and handed on. */
export function useAround(): Around {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const [url, setUrl] = useUrlState();
  const { centre, hops } = parseAround(url.around);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  const found = useMemo(() => (centre === "" ? NOTHING : selectedNode(store, centre)), [store, version, centre]);
  return useMemo(() => {
    const end = (): void => setUrl({ around: "" });
    const go = (from: string, far: number): void => setUrl({ around: encodeAround({ centre: from, hops: far }) });
    return {
      centre,
      hops,
      found,
      more(from) {
        if (centre === "" && from === "") return false;
        if (centre === "") go(from, 1);
        else go(centre, hops + 1);
        return true;
      },
      fewer() {
        if (centre === "") return false;
        if (hops > 1) go(centre, hops - 1);
        else end();
        return true;
      },
      end,
    };
  }, [centre, hops, found, setUrl]);
}

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
