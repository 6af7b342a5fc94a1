"use client";
import { useCallback, useMemo, useState } from "react";
import type { LogRow } from "../store/log-row.ts";
import type { RowPress } from "./log-row.tsx";

/** Which line one is at, and which are chosen: those between two, by their ids. */
export interface LineChoice {
  readonly current: number | undefined;
  /** Chosen lines in their order. */
  readonly chosen: readonly LogRow[];
  readonly isChosen: (id: number) => boolean;
  /** Goes to a line. @param extend chooses the lines up to it */
  readonly go: (id: number, extend: boolean) => void;
  readonly press: (press: RowPress) => void;
  readonly clear: () => void;
}

interface Place {
  readonly at: number;
  /** The other end of what is chosen. */
  readonly anchor: number;
  readonly isChosen: boolean;
}

/** Moves through lines and chooses them. */
export function useLineChoice(rows: readonly LogRow[], version: number): LineChoice {
  const [place, setPlace] = useState<Place>();
  const chosen = useMemo(() => {
    if (place === undefined || !place.isChosen) return [];
    const ends = [rows.findIndex(({ id }) => id === place.anchor), rows.findIndex(({ id }) => id === place.at)];
    const [from, to] = [Math.min(...ends), Math.max(...ends)];
    return from < 0 ? rows.slice(to, to + 1) : rows.slice(from, to + 1);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows are changed in place
  }, [place, rows, version]);
  const ids = useMemo(() => new Set(chosen.map(({ id }) => id)), [chosen]);
  const isChosen = useCallback((id: number) => ids.has(id), [ids]);
  const go = useCallback(
    (id: number, extend: boolean) => setPlace((before) => ({ at: id, anchor: extend ? (before?.anchor ?? id) : id, isChosen: extend })),
    [],
  );
  const press = useCallback(
    ({ id, extends: extend }: RowPress) =>
      setPlace((before) => {
        // A second press on the one chosen line lets it go.
        if (!extend && before?.isChosen === true && before.at === id && before.anchor === id) return { ...before, isChosen: false };
        return { at: id, anchor: extend ? (before?.anchor ?? id) : id, isChosen: true };
      }),
    [],
  );
  const clear = useCallback(() => setPlace((before) => before && { ...before, isChosen: false }), []);
  return { current: place?.at, chosen, isChosen, go, press, clear };
}
