import type { IncomingMessage } from "node:http";

import { clientAddressOf as addressBehind, parseTrustedProxies } from "@binnacle/rpc";

/** Says which client a request comes from: an IP address, IPv4 ones in dotted form; empty when the connection is already gone. */
export type ClientAddress = (request: Pick<IncomingMessage, "headers" | "socket">) => string;

/** @param trustedProxies addresses and ranges in CIDR notation, or "unix:" @throws Error for an entry that is none of them */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = parseTrustedProxies(trustedProxies);
  return ({ headers, socket }) => addressBehind({ peer: socket.remoteAddress, forwardedFor: headers["x-forwarded-for"] }, trusted) ?? "";
}

/** The client's address as `createWebServer` has written it over whatever the client sent; empty without such a server. */
export function clientAddressOf(headers: Headers): string {
  return headers.get("x-forwarded-for") ?? "";
}
