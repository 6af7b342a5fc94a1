import type { IncomingHttpHeaders } from "node:http";

import type { Values } from "@binnacle/proto/prototool";

import { PRODUCT } from "../base/build-info.ts";
import { connectionOptions } from "../kubernetes-api/header-names.ts";
import { headerValue } from "../cluster-access/header-value.ts";
import { REFUSAL_HEADER } from "./service-refusal.ts";

/**
 * What a service hears of a request beside its framing. An allow-list here too, whatever kas lets through: no credential, no cookie, no token
 * against forgery, nothing that names an agent or claims an identity gets to a service.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-encoding",
  "content-language",
  "content-type",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "pragma",
  "prefer",
  "range",
  "traceparent",
  "tracestate",
  "user-agent",
  "x-request-id",
  "x-requested-with",
]);

/** Headers for the service as a flat list of names and values. @throws Fault `invalid_request` for control characters */
export function headersForService(header: Readonly<Record<string, Values>>, host: string): string[] {
  const entries = Object.entries(header).map(([name, { value }]) => [name.toLowerCase(), value] as const);
  const named = connectionOptions(entries.flatMap(([name, value]) => (name === "connection" ? value : [])));
  const lines = ["Host", host];
  let userAgent = "";
  for (const [name, values] of entries) {
    if (!ALLOWED.has(name) || named.has(name)) continue;
    if (name === "user-agent") {
      userAgent = values[0] ?? "";
      continue;
    }
    for (const value of values) lines.push(name, headerValue(name, value));
  }
  lines.push("User-Agent", headerValue("user-agent", userAgent === "" ? PRODUCT : `${userAgent} via ${PRODUCT}`));
  return lines;
}

/** Of a handshake for a WebSocket (RFC 6455), in both directions. */
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"] as const;

/** Whether the client asks for a WebSocket. */
export function isUpgrade(header: Readonly<Record<string, Values>>): boolean {
  return Object.entries(header).some(([name, { value }]) => name.toLowerCase() === "upgrade" && value[0]?.toLowerCase() === "websocket");
}

/** What the client says of the WebSocket that it wants. @throws Fault `invalid_request` for control characters */
export function handshakeForService(header: Readonly<Record<string, Values>>): string[] {
  return Object.entries(header).flatMap(([name, { value }]) =>
    HANDSHAKE.some((one) => one === name.toLowerCase()) ? value.flatMap((line) => [name, headerValue(name, line)]) : [],
  );
}

/** What a service answers, without what would pass for a word of agentk. */
export function headersOfService(headers: IncomingHttpHeaders, location: string | undefined): IncomingHttpHeaders {
  const { location: _theirs, [REFUSAL_HEADER]: _forged, ...rest } = headers;
  return location === undefined ? rest : { ...rest, location };
}
