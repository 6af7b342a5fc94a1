import type { IncomingHttpHeaders } from "node:http";

import { wrapBytes, HTTP_RESPONSE_DATA } from "@binnacle/grpc-wire";
import { createStatus } from "@binnacle/kube";

import { RESPONSE_TRAILER, responseHeaderMessage } from "../kubernetes-api/response-header.ts";

/** Why agentk answers in the place of a service; stable words for machines. */
export type ServiceRefusalReason =
  | "service_not_allowed"
  | "service_request_refused"
  | "service_unreachable"
  | "service_silent"
  | "service_redirects"
  | "service_address_refused"
  | "service_answer_refused"
  | "service_withdrawn"
  | "agent_rights_missing"
  | "pods_forbidden";

const CODES: Readonly<Record<ServiceRefusalReason, number>> = {
  service_not_allowed: 403,
  service_request_refused: 403,
  service_unreachable: 503,
  service_silent: 504,
  service_redirects: 502,
  service_address_refused: 403,
  service_answer_refused: 502,
  service_withdrawn: 403,
  agent_rights_missing: 503,
  pods_forbidden: 403,
};

/** The header by which kas knows an answer of agentk from one of the service, which never gets it through. */
export const REFUSAL_HEADER = "binnacle-service-refusal";

/** A request that no service answers, with a message for the client. */
export class ServiceRefusal extends Error {
  readonly reason: ServiceRefusalReason;
  readonly code: number;

  constructor(reason: ServiceRefusalReason, message: string, options: { readonly code?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ServiceRefusal";
    this.reason = reason;
    this.code = options.code ?? CODES[reason];
  }
}

/** A whole answer as the messages of the tunnel. @param answer.hasBody false: to a HEAD */
export function answerMessages(answer: {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  readonly hasBody: boolean;
}): readonly (readonly Uint8Array[])[] {
  const { code, headers, body, hasBody } = answer;
  const head = responseHeaderMessage({ code, text: undefined }, { ...headers, "content-length": String(body.byteLength) });
  return [[head], ...(hasBody && body.byteLength > 0 ? [wrapBytes(HTTP_RESPONSE_DATA, [body])] : []), [RESPONSE_TRAILER]];
}

/** The refusal as an answer: a `Status` of Kubernetes, so that every client of kas can read it. */
export function refusalMessages(refusal: ServiceRefusal, hasBody: boolean): readonly (readonly Uint8Array[])[] {
  const { code, reason, message } = refusal;
  const status = createStatus(code, `agent: ${message}`, { details: { causes: [{ reason, message }] } });
  const headers = { "content-type": "application/json", [REFUSAL_HEADER]: reason };
  return answerMessages({ code, headers, body: Buffer.from(JSON.stringify(status)), hasBody });
}
