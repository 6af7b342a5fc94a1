"use client";
import { useMemo } from "react";
import type { UrlState } from "../../address/url-state.ts";
import { matches } from "../../filter/node-filter.ts";
import { useEnvironmentStore, useGraphVersion } from "../../live/environment-context.tsx";
import type { LiveNode } from "../../live/live-node.ts";
import type { GraphFilter } from "../layout/graph-input.ts";
import { near, type Ends } from "../layout/near.ts";
import { styleOf } from "../picture/graph-input-of.ts";

/** What the tree shows of the view; the graph shows the same. */
export function useTreeNodes(url: UrlState, around: GraphFilter["around"]): ReadonlyMap<string, LiveNode> {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  return useMemo(() => {
    if (!url.tree) return new Map();
    const { managed: _, ...filter } = url;
    const lines = [...store.edges.values()].flatMap((edge): readonly Ends[] =>
      around?.styles.includes(styleOf(edge)) === true ? [[edge.from, edge.to]] : [],
    );
    const found = around === undefined ? undefined : near(lines, around.id, around.hops);
    return new Map([...store.nodes].filter(([id, node]) => (found === undefined || found.has(id)) && matches(node, filter)));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, url, around]);
}
