import { QueryCache, QueryClient } from "@tanstack/react-query";
import { retryDelayMs } from "../live/retry-delay.ts";
import { isPassing, isSessionEnd } from "./request-error.ts";

/** So long an answer is as good as a new one. */
const FRESH_MS = 30_000;
/** Tries after the first before a question has failed. */
const RETRIES = 3;

/** What a client tells of the session. */
export interface SessionNews {
  /** A question was refused because the session is over. */
  readonly ended: () => void;
  /** A question was answered: there is a session. */
  readonly alive: () => void;
}

/** The cache of queries that are not streams: one for each page of a browser, and one for each request on the server, so that no user meets another's. */
export function createQueryClient(session?: SessionNews): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSessionEnd(error)) session?.ended();
      },
      onSuccess: () => session?.alive(),
    }),
    defaultOptions: {
      queries: {
        // A browser that thinks it is offline still reaches a server on its own machine.
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        retryDelay: (failures) => retryDelayMs(failures, Math.random()),
      },
    },
  });
}
