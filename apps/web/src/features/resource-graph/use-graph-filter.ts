"use client";
import { useMemo } from "react";
import type { UrlState } from "../address/url-state.ts";
import { keyOfStatus, WORST_FIRST } from "../live/health-status.ts";
import type { Around } from "./around/use-around.ts";
import type { GraphFilter } from "./layout/graph-input.ts";
import { shownStyles } from "./lines/edge-presets.ts";

/** What the address asks the graph to show; the same object until something else is asked for. */
export function useGraphFilter(url: UrlState, { centre, hops, found }: Around): GraphFilter {
  const { namespaces, kinds, health, onlyProblems, edges } = url;
  const id = found.kind === "live" ? found.node.id : "";
  return useMemo(
    () => ({
      namespaces,
      kinds,
      statuses: WORST_FIRST.filter((status) => health.includes(keyOfStatus(status))),
      onlyProblems,
      ...(centre === "" ? {} : { around: { id, hops, styles: [...shownStyles(edges)] } }),
    }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the lists are new with every address, their texts are not
    [namespaces.join(), kinds.join(), health.join(), onlyProblems, centre, id, hops, centre === "" ? "" : edges],
  );
}
