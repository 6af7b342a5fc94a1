"use client";
import type { Virtualizer } from "@tanstack/react-virtual";
import { usePrinting } from "../../ui/use-printing.ts";

/** A row of a list that is drawn, and how many pixels from its beginning. */
interface ShownItem {
  readonly index: number;
  readonly start: number;
}

/** Which rows of a list are drawn: those on the screen and some around them; on paper all, one below the other, where they place themselves. */
export function useShownItems(
  virtual: Pick<Virtualizer<HTMLElement, Element>, "getVirtualItems">,
  count: number,
): { readonly isPrinting: boolean; readonly items: readonly ShownItem[] } {
  const isPrinting = usePrinting();
  const items = isPrinting ? Array.from({ length: count }, (_, index) => ({ index, start: 0 })) : virtual.getVirtualItems();
  return { isPrinting, items };
}
