"use client";
import type { GetMetricsResponse, MetricKind, ResourceRef } from "@binnacle/proto/dashboard";
import { skipToken, useQuery } from "@tanstack/react-query";
import { sentenceOfError } from "../queries/request-error.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import { useView } from "../live/environment-context.tsx";
import { loadDashboard } from "../live/load-dashboard.ts";

const INTERVAL_MS = 30_000;
/** A user who returns to a card sees the last figures at once, and current ones soon. */
const FRESH_MS = 10_000;
const KEPT_MS = 60_000;
const LIMIT_MS = 45_000;

/** Whose figures: of an object of the view, or of its namespaces. */
export interface MetricsSubject {
  readonly id: string;
  readonly life: number;
  readonly ref: ResourceRef;
}

/** What is known of figures. The last answer stays while the next is under way, and when that fails. */
export interface MetricsState {
  readonly answer: GetMetricsResponse | undefined;
  /** Why the last question failed: a sentence. */
  readonly problem: string | undefined;
}

/**
 * Figures of an object, or of the environment that is shown; again each 30 s while the page is seen.
 *
 * @param subject absent: the environment's namespaces
 * @param kinds none: all there are
 * @param wanted false: nothing is queried, and the last result is returned
 */
export function useMetrics(subject: MetricsSubject | undefined, kinds: readonly MetricKind[], wanted: boolean): MetricsState {
  const { environment } = useView();
  const { projectPath = "", name = "" } = environment ?? {};
  const of = { projectPath, environment: name, id: subject?.id ?? "", life: subject?.life ?? 0 };
  const result = useQuery({
    queryKey: detailKeys.metrics(of, kinds),
    queryFn:
      name === ""
        ? skipToken
        : async ({ signal }) => {
            const ref = subject && { ref: subject.ref };
            return (await loadDashboard()).getMetrics(
              { projectPath, environment: name, kinds: [...kinds], ...ref },
              { signal, timeoutMs: LIMIT_MS },
            );
          },
    enabled: wanted,
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    structuralSharing: false,
    refetchInterval: INTERVAL_MS,
  });
  return { answer: result.data, problem: sentenceOfError(result.error) };
}
