import { LogFilterError, nanosOf, type LogsQuery, type LogTarget } from "@binnacle/pod-logs";
import { checkExpression, type Expressions } from "@binnacle/pod-logs/expressions";
import { checkFilterLimits } from "@binnacle/pod-logs/filter";
import type { ReadLogsRequest } from "@binnacle/proto/dashboard-logs";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

import { MessageFault } from "../base/message-fault.ts";

/** A request with positions of more than a thousand containers. */
export const MAX_REQUEST_BYTES = 256 * 1024;
const MAX_REFS = 100;
const MAX_CONTAINERS = 100;
const MAX_TAIL_LINES = 100_000;

/** Checks a request before anything is sent for it. @throws Fault `invalid_request`. The reason of `signal` */
export async function checkLogsRequest(
  { refs, containers, follow, until, tailLines, filter }: ReadLogsRequest,
  expressions: Expressions,
  signal: AbortSignal,
): Promise<void> {
  if (refs.length > MAX_REFS) throw new Fault("invalid_request", `at most ${MAX_REFS} resources can be named`);
  if (containers.length > MAX_CONTAINERS) throw new Fault("invalid_request", `at most ${MAX_CONTAINERS} containers can be named`);
  if (follow && until !== undefined) throw new Fault("invalid_request", "what is followed has no end");
  if (tailLines !== undefined && tailLines > MAX_TAIL_LINES)
    throw new Fault("invalid_request", `at most the last ${MAX_TAIL_LINES} lines can be read`);
  try {
    checkFilterLimits(filter ?? {});
    await checkExpression(filter ?? {}, expressions, signal);
  } catch (error) {
    throw unusableFilter(error);
  }
}

/** What a filter that cannot be used is for the viewer; other errors as they are. */
export function unusableFilter(error: unknown): unknown {
  if (!(error instanceof LogFilterError)) return error;
  return new MessageFault("invalid_request", words("logs/filter-invalid", { reason: error.message }), { cause: error });
}

/** @throws Fault `invalid_request` for a time that is none */
export function toLogsQuery(request: ReadLogsRequest, targets: readonly LogTarget[]): LogsQuery {
  const { containers, previous, follow, since, until, tailLines, filter, positions } = request;
  return {
    targets,
    containers,
    previous,
    follow,
    ...(since === undefined ? {} : { sinceNanos: nanosIn(since) }),
    ...(until === undefined ? {} : { untilNanos: nanosIn(until) }),
    ...(tailLines === undefined ? {} : { tailLines }),
    filter: filter ?? {},
    positions,
  };
}

function nanosIn(time: Timestamp): bigint {
  const nanos = nanosOf(time);
  if (nanos === undefined) throw new Fault("invalid_request", "the time is none since 1970");
  return nanos;
}
