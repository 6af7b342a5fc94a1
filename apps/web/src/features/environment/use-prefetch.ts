"use client";
import { useEffect } from "react";
import { whenIdle } from "../../ui/when-idle.ts";
import { LAZY_DETAILS } from "../resource-detail/lazy-details.ts";
import { LAZY_LIST } from "./lazy-views.ts";

/** Fetches what people open most, when the page is whole and idle: then it is there when they do. */
export function usePrefetch(isWhole: boolean): void {
  useEffect(() => {
    if (!isWhole) return undefined;
    return whenIdle(() => {
      // Who opens one is told why it does not come.
      for (const lazy of [LAZY_LIST, LAZY_DETAILS]) lazy.fetch().catch(() => undefined);
    });
  }, [isWhole]);
}
