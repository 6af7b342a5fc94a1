"use client";
import type { ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { answerClock } from "../queries/answer-clock.ts";
import { liveQuery } from "../queries/live-query.ts";
import { detailKeys } from "../queries/detail-keys.ts";
import { useLiveAnswer, type RequestState } from "../queries/use-live-answer.ts";
import { dashboardClient } from "../live/dashboard-client.ts";
import type { ActedNode } from "./follow-action.ts";

const LIMIT_MS = 20_000;
/** A rollout changes a workload many times a second, and the rights to it hardly ever: each review costs up to three requests. */
const INTERVAL_MS = 10_000;
/** Rights change without a change of the resource: a review is not older than this. */
const MAX_AGE_MS = 60_000;

/** Which resource of which environment. */
export interface ReviewedResource {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: Pick<ActedNode, "id" | "ref" | "life" | "revision">;
}

/** What the viewer can do to a resource as it is now; queried again when it changes, and every minute. @param isEnabled false: nothing is queried */
export function useActionReview(
  { projectPath, environment, node }: ReviewedResource,
  isEnabled: boolean,
): RequestState<ReviewActionsResponse> {
  const { ref, id, life, revision } = node;
  const of = { projectPath, environment, id, life };
  const query = liveQuery<ReviewActionsResponse>({
    queryKey: detailKeys.actions(of),
    ask:
      ref && ((signal) => dashboardClient().reviewActions({ target: { projectPath, environment, ref } }, { signal, timeoutMs: LIMIT_MS })),
    revision,
    holds: () => false,
    intervalMs: (_answer, isCurrent) => (isCurrent ? MAX_AGE_MS : INTERVAL_MS),
    clock: answerClock,
  });
  return useLiveAnswer(query, isEnabled);
}
