"use client";
import type { RefObject } from "react";
import { usePageKey } from "./keys/use-page-key.ts";

/** While the field is on the page, the key `/` goes to it and what is in it, unless somebody is typing elsewhere. @returns the keys (`usePageKey`) */
export function useSearchKey(input: RefObject<HTMLInputElement | null>): string {
  return usePageKey("search", () => {
    input.current?.focus();
    input.current?.select();
  });
}
