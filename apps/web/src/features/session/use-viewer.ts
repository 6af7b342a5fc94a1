"use client";
import type { Viewer } from "@binnacle/proto/dashboard";
import { useEffect, useState } from "react";
import { dashboardClient } from "../live/dashboard-client.ts";

/** The viewer of a page: as its stream says, or asked for when the page cannot be shown (`refused`) and its stream says nothing. */
export function useViewer(known: Viewer | undefined, refused: boolean): Viewer | undefined {
  const [asked, setAsked] = useState<Viewer>();
  const ask = refused && known === undefined;
  useEffect(() => {
    if (!ask) return undefined;
    const abort = new AbortController();
    dashboardClient()
      .listProjects({}, { signal: abort.signal })
      .then((answer) => setAsked(answer.viewer))
      .catch(() => undefined); // a page without an avatar
    return () => abort.abort();
  }, [ask]);
  return known ?? asked;
}
