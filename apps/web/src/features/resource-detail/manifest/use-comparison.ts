"use client";
import type { CompareManifestResponse, GitopsSync } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import { liveQuery } from "../../queries/live-query.ts";
import { detailKeys } from "../../queries/detail-keys.ts";
import { useLiveAnswer, type RequestState } from "../../queries/use-live-answer.ts";
import { answerClock } from "../../queries/answer-clock.ts";
import { dashboardClient } from "../../live/dashboard-client.ts";
import type { ShownResource } from "../use-resource.ts";

/** The server reads two things for it, and one of them from the main application. */
const INTERVAL_MS = 2_000;
/** A failed comparison is repeated at this interval, because rights, files and servers may return. */
const WITHOUT_MS = 30_000;
/** A load that has not answered by then has failed. */
const LIMIT_MS = 30_000;

/** What is known of a resource beside its manifest. */
export type ComparisonState = RequestState<CompareManifestResponse>;

/**
 * Compares a resource with its manifest, and again whenever its node has changed, and until the answer is of the commit that the sync says.
 *
 * @param sync names the commit that is being applied, and the one before it, which counts while the files of the newer one are refused
 */
export function useComparison(
  { projectPath, environment, node, present }: ShownResource,
  sync: Pick<GitopsSync, "state" | "sha" | "appliedSha"> | undefined,
): ComparisonState {
  const sha = (sync?.state === GitopsState.INVALID ? sync.appliedSha : sync?.sha) ?? "";
  const of = { projectPath, environment, id: node?.id ?? "", life: node?.life ?? 0 };
  const ref = node?.ref;
  const query = liveQuery({
    queryKey: detailKeys.manifest(of),
    ask: ref && ((signal) => dashboardClient().compareManifest({ projectPath, environment, ref }, { signal, timeoutMs: LIMIT_MS })),
    revision: node?.revision ?? 0,
    holds: ({ words, sha: compared }: CompareManifestResponse) => words === undefined && compared.startsWith(sha),
    intervalMs: ({ words }: CompareManifestResponse) => (words === undefined ? INTERVAL_MS : WITHOUT_MS),
    clock: answerClock,
  });
  return useLiveAnswer(query, present);
}
