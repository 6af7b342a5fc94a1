import { fromBinary } from "@bufbuild/protobuf";
import { ReadRequestSchema, type LogsQuery as SentQuery, type LogTarget as SentTarget } from "@binnacle/proto/kas-logs";
import { nanosOf, LogFilterError, type LogFilterInit, type LogsQuery, type LogTarget } from "@binnacle/pod-logs";
import { checkFilterLimits } from "@binnacle/pod-logs/filter";
import { Fault } from "@binnacle/rpc";

import { identityOfConfig, type ImpersonatedIdentity } from "../cluster-access/impersonation.ts";

/** What kas asks for, when it makes sense. */
export interface LogsRequest {
  readonly query: LogsQuery;
  /** As whom; absent: as the agent itself. */
  readonly identity: ImpersonatedIdentity | undefined;
}

const MOST = { targets: 200, containers: 100, positions: 5_000, tailLines: 100_000, selectorLength: 4_096 } as const;
/** Names of namespaces, pods and containers: nothing in them could be taken for a part of a path. */
const NAME = /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/;

/** Reads what kas asks for; the syntax of an expression is not checked. @throws Fault `invalid_request` */
export function readLogsRequest(bytes: Uint8Array): LogsRequest {
  const { query, viewer } = decoded(bytes);
  if (query === undefined) throw invalid("no logs are requested");
  return { query: queryOf(query), identity: identityOfConfig(viewer?.identity) };
}

function queryOf(sent: SentQuery): LogsQuery {
  const { targets, containers, previous, follow, since, until, tailLines, positions } = sent;
  if (targets.length === 0 || targets.length > MOST.targets) throw invalid(`between one and ${MOST.targets} targets are read at a time`);
  if (containers.length > MOST.containers) throw invalid(`at most ${MOST.containers} containers are named`);
  if (positions.length > MOST.positions) throw invalid(`at most ${MOST.positions} positions are named`);
  if (tailLines !== undefined && tailLines > MOST.tailLines) throw invalid(`at most the last ${MOST.tailLines} lines are requested`);
  if (follow && until !== undefined) throw invalid("what is followed has no end");
  return {
    targets: targets.map(targetOf),
    containers: containers.map((name) => nameOf(name, "container")),
    previous,
    follow,
    ...(since && { sinceNanos: timeOf(since) }),
    ...(until && { untilNanos: timeOf(until) }),
    ...(tailLines !== undefined && { tailLines }),
    filter: filterOf(sent.filter),
    positions,
  };
}

function targetOf({ namespace, pod, labelSelector }: SentTarget): LogTarget {
  if (pod !== "" && labelSelector !== "") throw invalid("a target names a pod or has a label selector");
  if (labelSelector.length > MOST.selectorLength) throw invalid(`a label selector has at most ${MOST.selectorLength} characters`);
  return {
    namespace: nameOf(namespace, "namespace"),
    ...(pod !== "" && { pod: nameOf(pod, "pod") }),
    ...(labelSelector !== "" && { labelSelector }),
  };
}

function filterOf(sent: SentQuery["filter"]): LogFilterInit {
  if (sent === undefined) return {};
  const { pattern, isRegularExpression, matchesCase, levels, contextLines } = sent;
  const filter = { pattern, isRegularExpression, matchesCase, levels, contextLines };
  try {
    checkFilterLimits(filter);
  } catch (error) {
    if (error instanceof LogFilterError) throw invalid(error.message);
    throw error;
  }
  return filter;
}

function timeOf(time: Parameters<typeof nanosOf>[0]): bigint {
  const nanos = nanosOf(time);
  if (nanos === undefined) throw invalid("what is named is no time");
  return nanos;
}

function nameOf(name: string, what: string): string {
  if (!NAME.test(name)) throw invalid(`what is named is no ${what}`);
  return name;
}

function decoded(bytes: Uint8Array): ReturnType<typeof fromBinary<typeof ReadRequestSchema>> {
  try {
    return fromBinary(ReadRequestSchema, bytes);
  } catch (error) {
    throw new Fault("invalid_request", "a request for logs cannot be read", { cause: error });
  }
}

function invalid(message: string): Fault {
  return new Fault("invalid_request", message);
}
