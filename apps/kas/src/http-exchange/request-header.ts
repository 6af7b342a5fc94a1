import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack, type Any } from "@bufbuild/protobuf/wkt";
import { encodeHttpRequestHead, type ValuesMap } from "@binnacle/grpc-wire";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema, type ImpersonationConfig } from "@binnacle/proto/kubernetes-api";

import type { AgentCall } from "../agent-call/agent-call.ts";
import { isWatch, type CallContext } from "../agent-call/call-context.ts";

/** A request that the agent makes to its cluster. */
export interface RequestHead {
  readonly method: string;
  /** Decoded, begins with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as the client encoded them, where the agent would encode them otherwise. */
  readonly rawTarget?: string | undefined;
  readonly header: ValuesMap;
  /** Length of the body when the client announced one. */
  readonly contentLength?: bigint | undefined;
  /** As whom the agent acts; absent: as itself. */
  readonly identity?: ImpersonationConfig | undefined;
  /** Set for a service of the agent other than its Kubernetes API: the method, and its extra beside the request. */
  readonly service?: { readonly rpc: string; readonly extra: Any } | undefined;
}

/** The last message of a request without trailers. */
export const REQUEST_TRAILER = toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: {} } }));

/** The last message of a request. */
export function requestTrailerMessage(trailers: ValuesMap | undefined): Uint8Array {
  if (trailers === undefined) return REQUEST_TRAILER;
  const trailer = Object.fromEntries(Object.entries(trailers).map(([name, { value }]) => [name, { value: [...value] }]));
  return toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: { trailer } } }));
}

/** The first message of a request: method, path, query, headers, and the identity it acts as. */
export function encodeRequestHeader({ method, path, query, rawTarget, header, contentLength, identity, service }: RequestHead): Uint8Array {
  const values: Record<string, { value: string[] }> = {};
  if (query.size > 0) for (const key of new Set(query.keys())) values[key] = { value: query.getAll(key) };
  const extra = service?.extra ?? (identity && anyPack(HeaderExtraSchema, create(HeaderExtraSchema, { impConfig: identity })));
  return encodeHttpRequestHead({ method, path, query: values, header, contentLength, extra, rawTarget });
}

/** Go's agentk notices that a watch was cancelled only when it brings something; ending it early gives the tunnel back. */
const MAX_WATCH_SECONDS = 120;

/**
 * The request as this agent may get it: for a foreign agent a watch lasts the client's time or 120 s, whichever is shorter. An agent that does
 * not identify itself as an agentk of this project is foreign.
 */
export function boundWatch<T extends RequestHead & { readonly context: CallContext }>(request: T, call: Pick<AgentCall, "agentIsOurs">): T {
  if (call.agentIsOurs === true || request.context.class !== "watch" || !isWatch(request.query, request.path)) return request;
  const requested = request.query.get("timeoutSeconds") ?? "";
  const seconds = /^\d{1,9}$/.test(requested) && Number(requested) > 0 ? Math.min(Number(requested), MAX_WATCH_SECONDS) : MAX_WATCH_SECONDS;
  const query = new URLSearchParams(request.query);
  query.set("timeoutSeconds", String(seconds));
  return { ...request, query, rawTarget: undefined };
}
