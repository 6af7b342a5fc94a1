"use client";
import type { MatchRange } from "@binnacle/pod-logs/filter";
import { useEffect, useReducer } from "react";
import type { LineRanges } from "../search/line-ranges.ts";

const NONE: readonly MatchRange[] = [];

/** The matches of a line that is shown; none until they are known. @param line without colours */
export function useRanges(ranges: LineRanges | undefined, line: string): readonly MatchRange[] {
  const [, showAgain] = useReducer((times: number) => times + 1, 0);
  const known = ranges?.known(line);
  const isMissing = ranges !== undefined && known === undefined;
  useEffect(() => {
    if (ranges === undefined || !isMissing) return undefined;
    let isOver = false;
    void ranges.load(line).then(() => {
      if (!isOver) showAgain();
    });
    return () => {
      isOver = true;
    };
  }, [ranges, line, isMissing]);
  return known ?? NONE;
}
