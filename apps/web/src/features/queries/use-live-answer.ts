"use client";
import { hashKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isDenied, isPermanent, sentenceOfError } from "./request-error.ts";
import type { LiveAnswer, liveQuery } from "./live-query.ts";

/** The result of a query. The last one stays while the next is under way, and when that fails. */
export interface RequestState<T> {
  readonly answer?: T | undefined;
  /** When the answer came, milliseconds since the epoch. */
  readonly answeredMs?: number | undefined;
  /** Why the last load failed. */
  readonly problem?: string | undefined;
  /** The load is retried, also while nothing changes. */
  readonly willRetry?: boolean;
  /** The viewer is not allowed to read it. */
  readonly isDenied?: boolean;
  /** Nothing has come yet. */
  readonly loading: boolean;
}

/**
 * Asks, and again whenever the view says so. An answer to another `queryKey` is never given.
 *
 * @param present it exists and can be queried: the last result of a deleted resource stays
 */
export function useLiveAnswer<T>(query: ReturnType<typeof liveQuery<T>>, present: boolean): RequestState<T> {
  const result = useQuery({ ...query, enabled: present });
  const { answer, answeredMs } = useLastAnswer(hashKey(query.queryKey), result.data) ?? {};
  const error = result.failureReason ?? result.error;
  const problem = sentenceOfError(error);
  return {
    answer,
    answeredMs,
    problem,
    willRetry: error !== null && !isPermanent(error),
    isDenied: isDenied(error),
    loading: present && answer === undefined && problem === undefined,
  };
}

/**
 * What was answered to the question of this key. Of one that has left it is the last, also when something else stood for it meanwhile:
 * those that refer to it do, until they have left as well.
 */
function useLastAnswer<T>(key: string, data: LiveAnswer<T> | undefined): LiveAnswer<T> | undefined {
  const [last, setLast] = useState<{ readonly key: string; readonly data: LiveAnswer<T> }>();
  if (data !== undefined && last?.data !== data) setLast({ key, data });
  return data ?? (last?.key === key ? last.data : undefined);
}
