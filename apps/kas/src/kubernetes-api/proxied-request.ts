import type { IncomingMessage } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { copyWithBudget, HTTP_REQUEST_DATA, wrapBytes } from "@binnacle/grpc-wire";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema, type ImpersonationConfig } from "@binnacle/proto/kubernetes-api";

import type { AgentCall } from "../agent-call/agent-call.ts";
import type { ProxyTarget } from "./proxy-target.ts";

const TRAILER = toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: {} } }));

/** The first message of a request: method, path, query, headers, and the identity it acts as. */
export function encodeRequestHeader(
  request: {
    readonly method: string;
    readonly target: Pick<ProxyTarget, "path" | "query">;
    readonly header: Record<string, { value: string[] }>;
    readonly contentLength?: bigint;
  },
  identity: ImpersonationConfig | undefined,
): Uint8Array {
  const query: Record<string, { value: string[] }> = {};
  for (const key of new Set(request.target.query.keys())) query[key] = { value: request.target.query.getAll(key) };
  const message = create(HttpRequestSchema, {
    message: {
      case: "header",
      value: {
        request: { method: request.method, urlPath: request.target.path, query, header: request.header },
        ...(identity && { extra: anyPack(HeaderExtraSchema, create(HeaderExtraSchema, { impConfig: identity })) }),
        ...(request.contentLength === undefined ? {} : { contentLength: request.contentLength }),
      },
    },
  });
  return toBinary(HttpRequestSchema, message);
}

/** Length the client announced; undefined when it did not. */
export function contentLengthOf(request: IncomingMessage): bigint | undefined {
  const text = request.headers["content-length"];
  return text === undefined ? undefined : BigInt(text);
}

/** Whether a body follows (RFC 9112 §6.3). */
function hasBody(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined || (request.headers["content-length"] ?? "0") !== "0";
}

/** Sends header, body and end on the call. @throws when the client goes away in between */
export async function sendRequest(call: AgentCall, header: Uint8Array, request: IncomingMessage): Promise<void> {
  call.write([header]);
  if (hasBody(request)) {
    await copyWithBudget(request, {
      write: (chunk) => call.write(wrapBytes(HTTP_REQUEST_DATA, [chunk])),
      onDrain: (resume) => call.onDrain(resume),
    });
  }
  call.write([TRAILER]);
  call.closeSend();
}
