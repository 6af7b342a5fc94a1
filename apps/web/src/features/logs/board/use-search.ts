"use client";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { LogsState } from "../../address/logs-state.ts";
import { lineMatcher } from "../search/line-matcher.ts";
import { LogSearch, type FoundLines } from "../search/log-search.ts";
import type { LogSnapshot } from "../store/log-store.ts";

/** A search through the lines that are shown. */
export interface ShownSearch {
  /** Absent while nothing is searched, or the expression is none. */
  readonly search: LogSearch | undefined;
  readonly found: FoundLines;
  /** Why the expression is none; empty if it is one. */
  readonly problem: string;
}

const NONE: FoundLines = { total: 0, isDone: true };

/** Searches the lines, also those that come, a little at a time. */
export function useSearch({ rows, version }: LogSnapshot, { find, isExpression, matchesCase }: LogsState): ShownSearch {
  const [search, problem] = useMemo(() => {
    if (find === "") return [undefined, ""];
    const matcher = lineMatcher({ text: find, isExpression, matchesCase });
    return "problem" in matcher ? [undefined, matcher.problem] : [new LogSearch(matcher), ""];
  }, [find, isExpression, matchesCase]);
  const [found, setFound] = useState(NONE);
  const advance = useCallback(() => {
    const next = search?.advance(rows) ?? NONE;
    setFound((before) => (before.total === next.total && before.isDone === next.isDone ? before : next));
    return next.isDone;
  }, [search, rows]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = (): void => {
      if (!advance()) timer = setTimeout(turn, 0);
    };
    turn();
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the rows are changed in place: with another version there are others
  }, [advance, version]);
  return { search, found: search === undefined ? NONE : found, problem };
}
