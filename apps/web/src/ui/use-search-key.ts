"use client";
import type { RefObject } from "react";
import { usePageKey } from "./use-page-key.ts";

/** While the field is on the page, the key `/` goes to it, unless somebody is typing elsewhere. */
export function useSearchKey(input: RefObject<HTMLInputElement | null>): void {
  usePageKey("/", () => input.current?.focus());
}
