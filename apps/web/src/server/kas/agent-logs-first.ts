import { create } from "@bufbuild/protobuf";
import { KubeClientError } from "@binnacle/environment-view";
import type { LogsQuery } from "@binnacle/pod-logs";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { LogsQuerySchema, type LogsQuery as SentQuery } from "@binnacle/proto/kas-logs";
import { toNanosTimestamp } from "@binnacle/proto/wire-values";

import { agentLogStream } from "./agent-log-stream.ts";
import { NO_ENDPOINT, type RememberedRefusal } from "../base/remembered-refusal.ts";

/** The agent does not read those logs, or has no room now: another request may be served. */
const NOT_THESE: ReadonlySet<number> = new Set([400, 413, 429]);

/** What is read, and what is there for an agent that does not read it. */
export interface LogsFallback {
  readonly query: LogsQuery;
  readonly readHere: () => AsyncIterable<ReadLogsResponse>;
  /** Set when the agent, or its kas, reads no logs at all: such an answer takes most of a second. */
  readonly withoutLogs: RememberedRefusal;
}

/**
 * Logs that the agent reads where they are; when it does not, before its first message, what `readHere` reads. Ends when `signal` aborts.
 *
 * @throws LogFilterError, KubeClientError as `agentLogStream`, when the stream breaks, the viewer may not, or the expression takes too long
 */
export async function* agentLogsFirst(
  source: Parameters<typeof agentLogStream>[0],
  { query, readHere, withoutLogs }: LogsFallback,
  signal: AbortSignal,
): AsyncGenerator<ReadLogsResponse, void, void> {
  if (withoutLogs.isRemembered) {
    yield* readHere();
    return;
  }
  let hasBegun = false;
  try {
    for await (const response of agentLogStream(source, sentQuery(query), signal)) {
      hasBegun = true;
      yield response;
    }
    return;
  } catch (error) {
    if (signal.aborted) return;
    const code = error instanceof KubeClientError && error.failure === "api" ? (error.status?.code ?? 0) : 0;
    if (hasBegun || !(NO_ENDPOINT.has(code) || NOT_THESE.has(code))) throw error;
    if (NO_ENDPOINT.has(code)) withoutLogs.remember();
  }
  yield* readHere();
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
