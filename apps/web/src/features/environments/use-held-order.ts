"use client";
import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { useState } from "react";
import { heldNames, sortedNames } from "./row-order.ts";

/** The order of the rows, and the handlers that hold it while the table is pointed at or has the focus. */
export function useHeldOrder(rows: ReadonlyMap<string, EnvironmentRow>): {
  readonly names: readonly string[];
  readonly handlers: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
} {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const [shown, setShown] = useState<readonly string[]>([]);
  const names = pointed || focused ? heldNames(shown, rows) : sortedNames(rows);
  if (names.length !== shown.length || names.some((name, index) => shown[index] !== name)) setShown(names);
  return {
    names,
    handlers: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}
