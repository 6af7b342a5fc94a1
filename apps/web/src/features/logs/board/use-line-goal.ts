"use client";
import { useEffect, useState } from "react";
import { lineOf } from "../read/log-request.ts";
import type { LogRow } from "../store/log-row.ts";
import { keyOf } from "../store/log-sources.ts";
import type { LogSnapshot } from "../store/log-store.ts";

/** What became of the line that a link is about. */
export type LineGoal =
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
