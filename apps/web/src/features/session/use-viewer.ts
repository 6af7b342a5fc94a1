"use client";
import type { Viewer, Dashboard } from "@binnacle/proto/dashboard";
import type { Client } from "@connectrpc/connect";
import { QueryClientContext, queryOptions } from "@tanstack/react-query";
import { use, useEffect, useState } from "react";
import { queryKeys } from "../queries/query-keys.ts";
import { loadDashboard } from "../live/load-dashboard.ts";

const NO_VIEWER: Viewer = { $typeName: "dashboard.v1.Viewer", username: "", name: "", clusterUsername: "", clusterGroups: [] };

/**
 * The viewer of a page: as its stream says, or as the page was sent; queried when the page cannot be shown (`refused`) and neither has
 * it. Queried once and not observed: what observes queries is loaded with what needs it.
 */
export function useViewer(known: Viewer | undefined, refused: boolean): Viewer | undefined {
  const queries = use(QueryClientContext);
  const [answer, setAnswer] = useState<Viewer>();
  const isWanted = refused && known === undefined;
  useEffect(() => {
    if (!isWanted || queries === undefined) return undefined;
    let left = false;
    queries.fetchQuery(viewerQuery(loadDashboard)).then(
      (viewer) => {
        if (!left) setAnswer(viewer);
      },
      () => undefined, // the page says why it cannot be shown
    );
    return () => {
      left = true;
    };
  }, [queries, isWanted]);
  return known ?? answer ?? queries?.getQueryData<Viewer>(queryKeys.viewer);
}

/** Who is looking, as the main application knows them. */
function viewerQuery(dashboard: () => Promise<Pick<Client<typeof Dashboard>, "listProjects">>) {
  return queryOptions({
    queryKey: queryKeys.viewer,
    queryFn: async ({ signal }) => (await (await dashboard()).listProjects({}, { signal })).viewer ?? NO_VIEWER,
  });
}
