"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { encodeIndexFilter, parseIndexFilter, type IndexFilter } from "./index-filter.ts";

/** What the address says of the filter, and how to change that: with every key, so no step of the back button. */
export function useIndexFilter(): readonly [IndexFilter, (change: Partial<IndexFilter>) => void] {
  const query = useSearchParams();
  const filter = useMemo(() => parseIndexFilter(query), [query]);
  const set = useCallback((change: Partial<IndexFilter>) => {
    const next = encodeIndexFilter({ ...parseIndexFilter(new URLSearchParams(location.search)), ...change });
    history.replaceState(null, "", next === "" ? location.pathname : `${location.pathname}?${next}`);
  }, []);
  return [filter, set];
}
