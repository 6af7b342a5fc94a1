import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

import type { Clock } from "@binnacle/rpc";

import type { RequestAudit } from "../../audit/request-audit.ts";
import type { ProxyRefusal } from "./proxy-refusal.ts";
import { dropRestOf, isLeftWaiting } from "./request-body.ts";

/** One request with its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Those of ours, for every answer. */
  readonly headers: OutgoingHttpHeaders;
  /** Correlation id, also in the answer's `X-Request-Id`. */
  readonly traceId: string;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
  readonly audit: RequestAudit;
}

/** Answers a request with a refusal; an answer that has begun is cut. */
export function refuse(
  { request, response, headers }: Pick<Exchange, "request" | "response" | "headers">,
  refusal: ProxyRefusal,
  clock: Clock,
): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify(refusal.status);
  const close = isLeftWaiting(request, response) ? { connection: "close" } : {};
  dropRestOf(request, response, clock);
  response.writeHead(refusal.code, {
    ...headers,
    ...refusal.headers,
    ...close,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
