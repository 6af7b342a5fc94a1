"use client";
import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { useState } from "react";
import { heldNames, sortedNames } from "@binnacle/presentation/environments/row-order";

/**
 * The order of the rows, and the handlers that hold it while the table is pointed at or has the focus.
 *
 * @param filling while it stays the same number, the table fills and nothing is sorted anew; `undefined`: it is full
 */
export function useHeldOrder(
  rows: ReadonlyMap<string, EnvironmentRow>,
  filling: number | undefined,
): {
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
  const [held, setHeld] = useState<{ readonly names: readonly string[]; readonly filling: number | undefined }>(EMPTY);
  const isHeld = pointed || focused || (filling !== undefined && held.filling === filling);
  const names = isHeld ? heldNames(held.names, rows) : sortedNames(rows);
  const isSame = names.length === held.names.length && names.every((name, index) => held.names[index] === name);
  if (!isSame || held.filling !== filling) setHeld({ names: isSame ? held.names : names, filling });
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

const EMPTY = { names: [], filling: undefined };
