"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { encodeIndexState, parseIndexState, type IndexState } from "./index-state.ts";

/** What the address of the index says, and how to change it without a request to the server; `replace` for what changes with every key. */
export function useIndexState(): readonly [IndexState, (change: Partial<IndexState>, how?: "push" | "replace") => void] {
  const query = useSearchParams();
  const state = useMemo(() => parseIndexState(query), [query]);
  const set = useCallback((change: Partial<IndexState>, how: "push" | "replace" = "push") => {
    const next = encodeIndexState({ ...parseIndexState(new URLSearchParams(location.search)), ...change });
    if (next === location.search) return;
    const address = `${location.pathname}${next}`;
    if (how === "push") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }, []);
  return [state, set];
}
