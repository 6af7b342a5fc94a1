import { create } from "@bufbuild/protobuf";
import { KubeClientError } from "@binnacle/environment-view";
import type { LogsQuery } from "@binnacle/pod-logs";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { LogsQuerySchema, type LogsQuery as SentQuery } from "@binnacle/proto/kas-logs";
import { toNanosTimestamp } from "@binnacle/proto/wire-values";

import { agentLogStream } from "./agent-log-stream.ts";

/** The agent, or its kas, reads no logs, not those, or not now: the caller falls back. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 413, 429, 501]);

/**
 * Logs that the agent reads where they are; when it does not, before its first message, what `readHere` reads. Ends when `signal` aborts.
 *
 * @throws KubeClientError as `agentLogStream`, when the stream breaks or the viewer may not
 */
export async function* agentLogsFirst(
  source: Parameters<typeof agentLogStream>[0],
  { query, readHere }: { readonly query: LogsQuery; readonly readHere: () => AsyncIterable<ReadLogsResponse> },
  signal: AbortSignal,
): AsyncGenerator<ReadLogsResponse, void, void> {
  let hasBegun = false;
  try {
    for await (const response of agentLogStream(source, sentQuery(query), signal)) {
      hasBegun = true;
      yield response;
    }
    return;
  } catch (error) {
    if (signal.aborted) return;
    if (hasBegun || !isNotOffered(error)) throw error;
  }
  yield* readHere();
}

function isNotOffered(error: unknown): boolean {
  return error instanceof KubeClientError && error.failure === "api" && NOT_OFFERED.has(error.status?.code ?? 0);
}

function sentQuery({ targets, sinceNanos, untilNanos, tailLines, filter, containers, positions, previous, follow }: LogsQuery): SentQuery {
  return create(LogsQuerySchema, {
    targets: targets.map(({ namespace, pod = "", labelSelector = "" }) => ({ namespace, pod, labelSelector })),
    containers: [...containers],
    previous,
    follow,
    ...(sinceNanos === undefined ? {} : { since: toNanosTimestamp(sinceNanos) }),
    ...(untilNanos === undefined ? {} : { until: toNanosTimestamp(untilNanos) }),
    ...(tailLines === undefined ? {} : { tailLines }),
    filter: { ...filter, levels: [...(filter.levels ?? [])] },
    positions: [...positions],
  });
}
