import type { Clock } from "@binnacle/rpc";
import { queryOptions, skipToken, type QueryKey } from "@tanstack/react-query";
import { isPassing, isPermanent } from "./request-error.ts";

/** A denied query is repeated at this interval, because rights may return. */
const REFUSED_MS = 30_000;

/** An answer, and of which state it is. */
export interface LiveAnswer<T> {
  readonly answer: T;
  /** The revision of the view at the time of the request. */
  readonly revision: number;
  readonly requestedMs: number;
  readonly answeredMs: number;
}

/** A question whose answer is another whenever something in the view is. */
export interface LiveQuestion<T> {
  readonly queryKey: QueryKey;
  /** Absent: nothing is queried. */
  readonly ask: ((signal: AbortSignal) => Promise<T>) | undefined;
  /** The state in which the view has it. */
  readonly revision: number;
  /** Whether an answer of the same state holds; absent: it does. */
  readonly holds?: (answer: T) => boolean;
  /** After such an answer the next question begins this much later than its own did, at the earliest; `isCurrent`: it is of the present state. */
  readonly intervalMs: (answer: T, isCurrent: boolean) => number;
  /** For pace and age. */
  readonly clock: Clock;
}

/**
 * A query of something that may change all the time: sent at once, and again as long as the answer is of another `revision` than the view
 * has. One request at a time, none is given up because there is something newer, and changes meanwhile are queried after it. What
 * failed is tried again, later each time; the last answer stays.
 */
export function liveQuery<T>({ queryKey, ask, revision, holds, intervalMs, clock }: LiveQuestion<T>) {
  return queryOptions({
    queryKey,
    queryFn:
      ask === undefined
        ? skipToken
        : async ({ signal }): Promise<LiveAnswer<T>> => {
            const requestedMs = clock.now();
            const answer = await ask(signal);
            return { answer, revision, requestedMs, answeredMs: clock.now() };
          },
    // The view says when it has changed.
    staleTime: Number.POSITIVE_INFINITY,
    // A user who returns later does not see the outdated result.
    gcTime: 0,
    structuralSharing: false,
    retry: (_failures, error) => isPassing(error),
    refetchInterval: ({ state: { data, error, fetchStatus, status } }) => {
      if (fetchStatus !== "idle") return false;
      if (status === "error") return isPermanent(error) ? false : REFUSED_MS;
      if (data === undefined) return false;
      const isCurrent = data.revision === revision;
      if (isCurrent && holds?.(data.answer) !== false) return false;
      const afterMs = intervalMs(data.answer, isCurrent);
      // A clock that was set back does not stop the interval.
      return Math.min(afterMs, Math.max(1, data.requestedMs + afterMs - clock.now()));
    },
    refetchIntervalInBackground: true,
  });
}
