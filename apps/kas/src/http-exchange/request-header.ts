import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack, type Any } from "@bufbuild/protobuf/wkt";
import { encodeHttpRequestHead, type ValuesMap } from "@binnacle/grpc-wire";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema, type ImpersonationConfig } from "@binnacle/proto/kubernetes-api";

/** What the agent asks of its cluster. */
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
  /** It is for another service of the agent than its Kubernetes API: the method, and what that is told beside the request. */
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
