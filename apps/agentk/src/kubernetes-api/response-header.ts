import { STATUS_CODES, type IncomingHttpHeaders } from "node:http";

import { create, toBinary } from "@bufbuild/protobuf";
import { allowedTrailers, encodeHttpResponseHead, HOP_HEADERS } from "@binnacle/grpc-wire";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";

import { canonicalHeaderName, connectionOptions } from "./header-names.ts";

/**
 * The first message of an answer: status line and headers without those of the connection.
 *
 * @param protocol of a 101: what the connection has changed to
 */
export function responseHeaderMessage(
  status: { readonly code: number; readonly text: string | undefined },
  headers: IncomingHttpHeaders,
  protocol?: string,
): Uint8Array {
  const { connection } = headers;
  // What API servers say nearly always: it names no header.
  const named =
    connection === undefined || connection === "keep-alive" || connection === "close" ? undefined : connectionOptions([connection]);
  const header: Record<string, { readonly value: readonly string[] }> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_HEADERS.has(name) || named?.has(name) === true) continue;
    header[canonicalHeaderName(name)] = { value: typeof value === "string" ? [value] : value };
  }
  if (protocol !== undefined) Object.assign(header, { Connection: { value: ["Upgrade"] }, Upgrade: { value: [protocol] } });
  const text = status.text === undefined || status.text === "" ? (STATUS_CODES[status.code] ?? "") : status.text;
  return encodeHttpResponseHead(status.code, `${status.code} ${text}`, header);
}

/** The server wants the body that the client has announced. */
export const CONTINUE: Uint8Array = responseHeaderMessage({ code: 100, text: undefined }, {});

/** The last message of an answer with trailers, of which those are left out that may be none. */
export function responseTrailerMessage(trailers: IncomingHttpHeaders): Uint8Array {
  const fields = Object.entries(trailers).map(([name, value = []]) => [name, typeof value === "string" ? [value] : value] as const);
  const allowed = allowedTrailers(fields);
  if (allowed === undefined) return RESPONSE_TRAILER;
  const trailer = Object.fromEntries(
    Object.entries(allowed).map(([name, { value }]) => [canonicalHeaderName(name), { value: [...value] }]),
  );
  return toBinary(HttpResponseSchema, create(HttpResponseSchema, { message: { case: "trailer", value: { trailer } } }));
}

/** The last message of an answer. */
export const RESPONSE_TRAILER: Uint8Array = toBinary(
  HttpResponseSchema,
  create(HttpResponseSchema, { message: { case: "trailer", value: {} } }),
);
