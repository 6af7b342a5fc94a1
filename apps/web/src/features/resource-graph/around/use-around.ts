"use client";
import { useMemo } from "react";
import { encodeAround, parseAround } from "../../address/around-in-address.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import { useEnvironmentStore, useGraphVersion } from "../../live/environment-context.tsx";
import { selectedNode, type SelectedNode } from "../../live/selected-node.ts";

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
