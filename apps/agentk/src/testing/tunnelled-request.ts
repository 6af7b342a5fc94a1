import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { type HttpRequest_HeaderSchema, HttpRequestSchema, HttpResponseSchema, type HttpResponse } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema, type ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { ServiceHeaderExtraSchema } from "@binnacle/proto/service-proxy";
import { metadataOfValues, valuesOfMetadata, type GrpcStatus } from "@binnacle/grpc-wire";

import type { FakeTunnel } from "./fake-kas.ts";

const MAKE_REQUEST = "/gitlab.agent.kubernetes_api.rpc.KubernetesApi/MakeRequest";
const SERVICE_REQUEST = "/kas.v1.ServiceProxy/MakeRequest";

/** A request for the Kubernetes API, or for a service, as kas sends it. */
export interface TunnelledRequest {
  readonly method?: string;
  readonly path: string;
  /** Path and query as the client encoded them. */
  readonly rawTarget?: string;
  readonly query?: readonly (readonly [string, readonly string[]])[];
  readonly headers?: readonly (readonly [string, readonly string[]])[];
  readonly impersonate?: Partial<Omit<ImpersonationConfig, "$typeName">>;
  /** It is for a service of the cluster instead. */
  readonly service?: MessageInitShape<typeof ServiceHeaderExtraSchema>;
  /** Length of the body, as the client has announced it. */
  readonly contentLength?: bigint;
  /** The client waits for a 100 before it sends its body. */
  readonly awaitsContinue?: boolean;
}

/** Starts a request; the body is sent with `sendBody`, its end with `endBody`. */
export function startRequest(tunnel: FakeTunnel, request: TunnelledRequest): void {
  const metadata = new Map(request.awaitsContinue === true ? [["kas-caps", ["continue"]]] : []);
  tunnel.requestInfo(request.service ? SERVICE_REQUEST : MAKE_REQUEST, metadata);
  send(tunnel, { case: "header", value: headerOf(request) });
}

function headerOf(request: TunnelledRequest): MessageInitShape<typeof HttpRequest_HeaderSchema> {
  const { impersonate, service, contentLength, rawTarget = "" } = request;
  const extra = service
    ? anyPack(ServiceHeaderExtraSchema, create(ServiceHeaderExtraSchema, service))
    : impersonate
      ? anyPack(
          HeaderExtraSchema,
          create(HeaderExtraSchema, {
            impConfig: {
              username: impersonate.username ?? "",
              groups: impersonate.groups ?? [],
              uid: impersonate.uid ?? "",
              extra: impersonate.extra ?? [],
            },
          }),
        )
      : undefined;
  return {
    request: {
      method: request.method ?? "GET",
      urlPath: request.path,
      query: valuesOfMetadata(new Map(request.query)),
      header: valuesOfMetadata(new Map(request.headers)),
    },
    rawTarget,
    ...(extra ? { extra } : {}),
    ...(contentLength === undefined ? {} : { contentLength }),
  };
}

/** Sends a piece of the body. @returns false when kas's own buffer is full */
export function sendBody(tunnel: FakeTunnel, data: Uint8Array): boolean {
  return tunnel.message(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "data", value: { data } } })));
}

/** Ends the request. */
export function endBody(tunnel: FakeTunnel): void {
  send(tunnel, { case: "trailer", value: {} });
  tunnel.closeSend();
}

type Init = NonNullable<Parameters<typeof create<typeof HttpRequestSchema>>[1]>["message"];

function send(tunnel: FakeTunnel, message: NonNullable<Init>): void {
  tunnel.message(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message })));
}

/** The next message of the answer, or how the call ended. */
export async function nextResponse(tunnel: FakeTunnel): Promise<HttpResponse["message"] | GrpcStatus> {
  let trailer = false;
  for (;;) {
    const frame = await tunnel.next();
    if (frame === undefined) return { code: trailer ? 0 : -1, message: "" };
    if (frame.case === "message") return fromBinary(HttpResponseSchema, frame.value.data).message;
    if (frame.case === "trailer") trailer = true;
    if (frame.case === "error") return { code: frame.value.status?.code ?? -1, message: frame.value.status?.message ?? "" };
  }
}

/** A whole answer. */
export interface TunnelledResponse {
  readonly statusCode: number;
  readonly status: string;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
  /** How the call ended: code 0 is success. */
  readonly end: GrpcStatus;
}

/** Reads the answer until the end of the call and ends the tunnel, as kas does. */
export async function readResponse(tunnel: FakeTunnel): Promise<TunnelledResponse> {
  const chunks: Uint8Array[] = [];
  let statusCode = 0;
  let status = "";
  let headers: ReadonlyMap<string, readonly string[]> = new Map();
  for (;;) {
    const message = await nextResponse(tunnel);
    if ("code" in message) {
      tunnel.end();
      return { statusCode, status, headers, body: Buffer.concat(chunks).toString(), end: message };
    }
    if (message.case === "data") chunks.push(message.value.data);
    if (message.case === "header") {
      statusCode = message.value.response?.statusCode ?? 0;
      status = message.value.response?.status ?? "";
      headers = metadataOfValues(message.value.response?.header ?? {});
    }
  }
}

/** A request without a body, and its whole answer. */
export async function exchange(tunnel: FakeTunnel, request: TunnelledRequest): Promise<TunnelledResponse> {
  startRequest(tunnel, request);
  endBody(tunnel);
  return readResponse(tunnel);
}
