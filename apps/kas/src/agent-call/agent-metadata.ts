import type { Metadata } from "@binnacle/grpc-wire";

/** Metadata an agent may see. Everything else stays here: above all `authorization`, of which an agent could make use. */
const FOR_AGENTS: ReadonlySet<string> = new Set([
  "grpc-timeout",
  "traceparent",
  "tracestate",
  "x-gitlab-correlation-id",
  "x-request-id",
  "kas-caps",
]);

/** The part of `metadata` that may go to an agent. Applied on each side of every hop, so that no single mistake leaks. */
export function metadataForAgent(metadata: Metadata): Metadata {
  return new Map([...metadata].filter(([key]) => FOR_AGENTS.has(key)));
}
