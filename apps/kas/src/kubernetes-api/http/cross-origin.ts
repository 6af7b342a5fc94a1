import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";

import { ProxyRefusal } from "./proxy-refusal.ts";

/** What a browser may read of an answer beside its type and length. */
const EXPOSED = [
  "Binnacle-Service-Refusal",
  "Gitlab-Unauthorized",
  "Kas-Agent-Config-Error",
  "Kas-Agent-Views",
  "Kas-Agent-Watch-Budget",
  "Kas-Attempts",
  "Kas-Refusal",
  "Retry-After",
  "Warning",
  "X-Request-Id",
];

/**
 * Headers of CORS for the one origin that may use the proxy from a browser.
 *
 * @param allowed origin of the main application's public address
 * @returns nothing for a request without `Origin`, or with the address that it asks and a token (Python's websocket-client names that)
 * @throws ProxyRefusal 403 for any other origin
 */
export function corsHeadersOf(request: IncomingMessage, allowed: string): OutgoingHttpHeaders {
  const { origin } = request.headers;
  if (origin === undefined) return {};
  if (origin !== allowed && isOwnAddress(origin, request.headers)) return {};
  if (origin !== allowed) throw new ProxyRefusal(403, "requests from this origin are not allowed");
  return {
    "access-control-allow-origin": allowed,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": EXPOSED.join(", "),
    vary: "Origin",
  };
}

/** No page sends a token of its own accord, and kas serves none; a cookie would be sent. */
function isOwnAddress(origin: string, { host, authorization, cookie }: IncomingMessage["headers"]): boolean {
  if (authorization === undefined || cookie !== undefined) return false;
  const scheme = /^https?:/.exec(origin)?.[0];
  return scheme !== undefined && URL.parse(`${scheme}//${host}`)?.origin === origin;
}

/**
 * A page can open a WebSocket across origins, with the cookie and without a CORS check (T8): with a cookie the request needs an `Origin`.
 * `corsHeadersOf` has checked whether that origin is allowed.
 *
 * @throws ProxyRefusal 403
 */
export function checkUpgradeOrigin(request: IncomingMessage): void {
  if (request.headers.origin === undefined)
    throw new ProxyRefusal(403, "an upgrade with a cookie must name its origin", { reason: "agent_forbidden" });
}

/** Whether the request only asks what it may ask. */
export function isPreflight(request: IncomingMessage): boolean {
  return (
    request.method === "OPTIONS" && request.headers.origin !== undefined && request.headers["access-control-request-method"] !== undefined
  );
}

/** Headers of the answer to a preflight; `cors` are those of `corsHeadersOf`. */
export function preflightHeaders(request: IncomingMessage, cors: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const wanted = request.headers["access-control-request-headers"];
  return {
    ...cors,
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
    "access-control-max-age": "86400",
    "content-length": "0",
  };
}
