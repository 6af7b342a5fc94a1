"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { staysToAsk } from "./leave-guard.ts";
import { changedUrlState, encodeUrlState, parseUrlState, type UrlState } from "./url-state.ts";

/** Changes the address. `replace` writes no step for the back button, for what changes with every key. */
export type SetUrlState = (change: Partial<UrlState>, how?: "push" | "replace") => void;

/** What the address says, and how to change it without a request to the server. */
export function useUrlState(): readonly [UrlState, SetUrlState, (change: Partial<UrlState>) => string] {
  // There is none outside of Next's router: where components stand alone.
  const query: Pick<URLSearchParams, "get"> | null = useSearchParams();
  const path = usePathname();
  const state = useMemo(() => parseUrlState(query ?? new URLSearchParams()), [query]);
  const set = useCallback<SetUrlState>((change, how = "push") => {
    const next = encodeUrlState(changedUrlState(parseUrlState(new URLSearchParams(location.search)), change));
    const address = `${location.pathname}?${next}`;
    if (address === `${location.pathname}${location.search}`) return;
    const go = (): void => {
      if (how === "push") history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    };
    if (!staysToAsk(go)) go();
  }, []);
  const href = useCallback((change: Partial<UrlState>) => `${path}?${encodeUrlState(changedUrlState(state, change))}`, [path, state]);
  return [state, set, href];
}
