"use client";
import type { GetResourceResponse } from "@binnacle/proto/dashboard";
import { answerClock } from "../queries/answer-clock.ts";
import { useLiveAnswer, type RequestState } from "../queries/use-live-answer.ts";
import { dashboardClient } from "../live/dashboard-client.ts";
import type { LiveNode } from "../live/live-node.ts";
import { resourceQuery } from "./resource-query.ts";

/** What is known of a resource. */
export type ResourceState = RequestState<GetResourceResponse>;

/** Which resource, and whether it exists and can be queried. */
export interface ShownResource {
  readonly projectPath: string;
  readonly environment: string;
  readonly node: LiveNode | undefined;
  /** It has not left: of what has, the last answer stays. */
  readonly present: boolean;
}

/** Loads a resource, and again whenever its node has changed: with everything that the details show, its `revision` does. */
export function useResource({ projectPath, environment, node, present }: ShownResource): ResourceState {
  const of = { projectPath, environment, id: node?.id ?? "", life: node?.life ?? 0 };
  const question = { ...of, ref: node?.ref, revision: node?.revision ?? 0 };
  return useLiveAnswer(resourceQuery(question, { dashboard: dashboardClient, clock: answerClock }), present);
}
