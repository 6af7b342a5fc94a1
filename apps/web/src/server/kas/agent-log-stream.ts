import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { KubeClientError, type KubeTransport } from "@binnacle/environment-view";
import { createStatus } from "@binnacle/kube";
import { LogFilterError } from "@binnacle/pod-logs";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { LogsFrameSchema, LogsQuerySchema, type LogsEnd, type LogsFrame, type LogsQuery } from "@binnacle/proto/kas-logs";
import { checkMessage } from "@binnacle/proto/read-message";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { framesOfKas } from "./framed-answer.ts";

const PATH = "/binnacle/v1/logs";
const ACCEPT = "application/vnd.binnacle.logs+proto";
/** A message of an agent has 128 KiB at most. */
const MAX_FRAME_BYTES = 256 * 1024;

/**
 * Logs that an agent reads where they are, as kas passes them to the viewer. Ends when all was read. The agent's messages are checked: texts, times
 * and lists have their bounds. It is read as fast as it is taken: a slow consumer slows the agent.
 *
 * @throws LogFilterError when the agent has begun, and the expression takes too long
 * @throws KubeClientError `api` with 501 when the agent does not offer it, 400 for a query that it rejects, 403 when the rights behind it have ended,
 *   429 when it reads as much as it can; `connection` when the connection breaks, after which the positions are where to continue
 */
export async function* agentLogStream(
  source: { readonly transport: KubeTransport; readonly clock: Clock },
  query: LogsQuery,
  signal: AbortSignal,
): AsyncGenerator<ReadLogsResponse, void, void> {
  const request = { path: PATH, accept: ACCEPT, body: toBinary(LogsQuerySchema, query), maxFrameBytes: MAX_FRAME_BYTES };
  let hasBegun = false;
  for await (const bytes of framesOfKas(source, request, signal)) {
    const { frame } = decoded(bytes);
    if (frame.case === "response") {
      hasBegun = true;
      yield frame.value;
    }
    if (frame.case !== "end") continue;
    if (frame.value.reason === "") return;
    // Everything else of a query was checked before it was accepted.
    if (hasBegun && frame.value.reason === "invalid_request") throw new LogFilterError(frame.value.message);
    throw ended(frame.value);
  }
}

function decoded(bytes: Uint8Array): LogsFrame {
  try {
    return checkMessage(LogsFrameSchema, fromBinary(LogsFrameSchema, bytes, { readUnknownFields: false }));
  } catch (error) {
    throw new KubeClientError("connection", words("answer/no-event"), { cause: error });
  }
}

/** Codes of reasons for which a stream ends. Any other is that the connection broke. */
const CODES: Readonly<Record<string, number>> = {
  "401": 401,
  agent_forbidden: 403,
  invalid_request: 400,
  message_too_large: 400,
  over_budget: 429,
  queue_full: 429,
  not_implemented: 501,
  unknown_method: 501,
};

function ended({ reason, message }: LogsEnd): KubeClientError {
  const code = CODES[reason];
  if (code === 401) return new KubeClientError("unauthorized", message);
  if (code === undefined) return new KubeClientError("connection", words("answer/watch-broken"), { cause: new Error(message) });
  return new KubeClientError("api", message, { status: createStatus(code, message) });
}
