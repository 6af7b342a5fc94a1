"use client";
import { useCallback, useMemo, useState, useEffect } from "react";
import type { LogRow } from "../store/log-row.ts";
import type { RowPress } from "./log-row.tsx";
import { lineOf } from "../read/log-request.ts";
import { keyOf } from "../store/log-sources.ts";
import type { LogSnapshot } from "../store/log-store.ts";

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

/** What became of the line that a link is about. */
type LineGoal =
  | { readonly kind: "none" }
  | { readonly kind: "searching" }
  | { readonly kind: "found"; readonly id: number }
  /** Other lines of its time are there. */
  | { readonly kind: "missing"; readonly id: number | undefined; readonly timeNanos: bigint };

/** Looks for the line of a link among those that come. @param found called once, when it is there or cannot come any more */
export function useLineGoal(snapshot: LogSnapshot, line: string, found: (id: number) => void): LineGoal {
  const [done, setDone] = useState<{ readonly line: string; readonly goal: LineGoal }>();
  const { rows, version, sources, reading } = snapshot;
  useEffect(() => {
    if (line === "" || done?.line === line) return;
    const wanted = lineOf(line);
    if (wanted === undefined) return;
    const ids = new Set(sources.filter((source) => keyOf(source) === wanted.key).map(({ id }) => id));
    const ofSource = rows.filter((row): row is LogRow & { readonly type: "line" } => row.type === "line" && ids.has(row.source));
    const exact = ofSource.find(({ timeNanos }) => timeNanos === wanted.timeNanos);
    const later = ofSource.find(({ timeNanos }) => timeNanos > wanted.timeNanos);
    // A later line of its source came without it, or no line comes any more.
    const isMissing = exact === undefined && (later !== undefined || reading.kind === "ended");
    if (exact === undefined && !isMissing) return;
    const near = exact ?? later ?? rows.at(-1);
    setDone({
      line,
      goal: exact === undefined ? { kind: "missing", id: near?.id, timeNanos: wanted.timeNanos } : { kind: "found", id: exact.id },
    });
    if (near !== undefined) found(near.id);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- with every change of the rows, until it is found
  }, [line, version, reading.kind]);
  if (line === "") return { kind: "none" };
  return done?.line === line ? done.goal : { kind: "searching" };
}
