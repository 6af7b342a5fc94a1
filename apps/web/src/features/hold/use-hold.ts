"use client";
import { useCallback } from "react";
import { serverTime } from "../../ui/server-time.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { freshnessOf } from "@binnacle/presentation/view/freshness";

/** Holds the picture of this page, or lets it go. The stream, which other pages share, does not hear of it. */
export function useHold(): () => void {
  const store = useEnvironmentStore();
  return useCallback(() => {
    const view = store.view();
    if (view.pause !== undefined) return store.resume();
    const sinceMs = serverTime.now();
    const freshness = freshnessOf(view, sinceMs);
    store.pause({ sinceMs, asOfMs: freshness.kind !== "live" && "asOfMs" in freshness ? freshness.asOfMs : sinceMs });
  }, [store]);
}
