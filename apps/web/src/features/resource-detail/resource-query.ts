import type { Dashboard, GetResourceResponse, ResourceRef } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { queryOptions, skipToken } from "@tanstack/react-query";
import { isPassing } from "../asked/asked-error.ts";
import { queryKeys, type ResourceIdentity } from "../asked/query-keys.ts";

/** Loads begin at least this far apart: a change is on the screen within a second, and a rollout costs two requests in it. */
const INTERVAL_MS = 500;
/** A load that has not answered by then has failed. */
const LIMIT_MS = 20_000;
/** What was refused is asked for again this often: rights come back. */
const REFUSED_MS = 30_000;

/** Details of an object, and of which state of it they are. */
export interface AskedResource {
  readonly answer: GetResourceResponse;
  /** The node's `revision` when it was asked. */
  readonly revision: number;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Which object, and in which state the view has it. */
export interface ResourceQuestion extends ResourceIdentity {
  /** Absent: nothing is asked. */
  readonly ref: ResourceRef | undefined;
  readonly revision: number;
}

/** What the question is asked with. */
export interface ResourceAsking {
  readonly dashboard: () => Pick<Client<typeof Dashboard>, "getResource">;
  /** For pace and age. */
  readonly clock: Clock;
}

/**
 * Details of an object that may never stop changing: asked at once, and again as long as the answer is of another `revision` than the view
 * has. One request at a time, none is given up because there is something newer, and what changed meanwhile is asked for after it. What
 * failed is tried again, later each time; the last answer stays.
 */
export function resourceQuery({ ref, revision, ...identity }: ResourceQuestion, { dashboard, clock }: ResourceAsking) {
  const { projectPath, environment } = identity;
  return queryOptions({
    queryKey: queryKeys.resource(identity),
    queryFn:
      ref === undefined
        ? skipToken
        : async ({ signal }): Promise<AskedResource> => {
            const askedMs = clock.now();
            const answer = await dashboard().getResource({ projectPath, environment, ref }, { signal, timeoutMs: LIMIT_MS });
            return { answer, revision, askedMs, answeredMs: clock.now() };
          },
    // The view says when it has changed.
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever comes back later is not shown what was so then.
    gcTime: 0,
    structuralSharing: false,
    retry: (_failures, error) => isPassing(error),
    refetchInterval: ({ state: { data, fetchStatus, status } }) => {
      if (fetchStatus !== "idle") return false;
      if (status === "error") return REFUSED_MS;
      if (data === undefined || data.revision === revision) return false;
      // Whoever set the clock back has not stopped the pace.
      return Math.min(INTERVAL_MS, Math.max(1, data.askedMs + INTERVAL_MS - clock.now()));
    },
    refetchIntervalInBackground: true,
  });
}
