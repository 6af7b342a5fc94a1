import { NO_METADATA, type Metadata } from "@binnacle/grpc-wire";

import type { CallContext } from "./call-context.ts";

/** Metadata an agent may see. Everything else stays here: above all `authorization`, of which an agent could make use. */
const FOR_AGENTS: ReadonlySet<string> = new Set([
  "grpc-timeout",
  "traceparent",
  "tracestate",
  "x-gitlab-correlation-id",
  "x-request-id",
  "kas-caps",
]);
/** Longer or stranger ids are not passed on: they end up in headers and logs of others. */
const TRACE_ID = /^[\x21-\x7e]{1,128}$/;

/** The part of `metadata` that may go to an agent. Applied on each side of every hop, so that no single mistake leaks. */
export function metadataForAgent(metadata: Metadata): Metadata {
  for (const key of metadata.keys()) if (!FOR_AGENTS.has(key)) return new Map([...metadata].filter(([other]) => FOR_AGENTS.has(other)));
  return metadata;
}

/** Metadata of a call for the agent: the trace id under both names that are in use, and what it may see of `more`. */
export function agentMetadataOf({ traceId }: CallContext, more: Metadata = NO_METADATA): Metadata {
  if (!TRACE_ID.test(traceId)) return metadataForAgent(more);
  return new Map(metadataForAgent(more)).set("x-request-id", [traceId]).set("x-gitlab-correlation-id", [traceId]);
}
