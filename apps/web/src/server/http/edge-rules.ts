import type { IncomingMessage } from "node:http";

import type { RefusalReason } from "./request-outcome.ts";
import { hasBody } from "./read-body.ts";

/** Who answers a path. */
export type EdgeRoute = "liveness" | "readiness" | "session" | "rpc" | "page";

/** Why a request is rejected, with a message for its client. */
export interface EdgeRefusal {
  readonly status: 400 | 405 | 413;
  readonly reason: RefusalReason;
  readonly message: string;
  readonly allow?: string;
}

const METHODS: Readonly<Record<EdgeRoute, readonly string[]>> = {
  liveness: ["GET", "HEAD"],
  readiness: ["GET", "HEAD"],
  session: ["GET", "HEAD", "POST", "DELETE"],
  rpc: ["POST"],
  page: ["GET", "HEAD"],
};

/** `/api/rpc/<service>/<method>`, written plainly: dots that lead elsewhere make no call. */
const CALL = /^\/api\/rpc\/\w[\w.]*\/\w+$/;

/** Which part of the server a path belongs to; everything that is not ours is Next's. */
export function edgeRouteOf(path: string): EdgeRoute {
  if (isProbe(path)) return path === "/healthz" ? "liveness" : "readiness";
  if (path === "/api/session" || path.startsWith("/api/session/")) return "session";
  return CALL.test(path) ? "rpc" : "page";
}

/**
 * What no part of the server takes: a target that is no path (RFC 9112 §3.2; we are no proxy), no host or two of them (§3.2), a
 * method that the route does not know, a body where none belongs.
 */
export function edgeRefusalOf(request: IncomingMessage, route: EdgeRoute): EdgeRefusal | undefined {
  const target = request.url ?? "";
  const hosts = hostsOf(request).length;
  // CONNECT over HTTP/2 has no path at all.
  if (!target.startsWith("/") && request.method !== "CONNECT")
    return { status: 400, reason: "request", message: "The request names no path." };
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== "1.0"))
    return { status: 400, reason: "request", message: "The request must name one host." };
  const allowed = METHODS[route];
  if (!allowed.includes(request.method ?? "")) {
    return { status: 405, reason: "method", message: "This address does not know the method.", allow: allowed.join(", ") };
  }
  // A call brings a message of at most 64 KiB, which its own reader bounds; the session's reader bounds a sign-in.
  if (route !== "rpc" && route !== "session" && hasBody(request)) {
    return { status: 413, reason: "body", message: "This address takes no body." };
  }
  return undefined;
}

/** Over HTTP/2 the host is `:authority`, beside which the same may stand once more as `Host` (RFC 9113 §8.3.1). */
function hostsOf({ rawHeaders, httpVersionMajor }: IncomingMessage): readonly string[] {
  const names = httpVersionMajor === 1 ? ["host"] : [":authority", "host"];
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && names.includes(rawHeaders[index - 1]?.toLowerCase() ?? ""));
  return httpVersionMajor === 1 ? hosts : [...new Set(hosts)];
}

/** Whether a path is one of the probes, which do not know the prefix. */
export function isProbe(path: string): boolean {
  return path === "/healthz" || path === "/readyz";
}

/** Whether a path can be a page's: Next has no answer for one whose escapes are not UTF-8. */
export function isPageAddress(path: string): boolean {
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return true;
}

/**
 * Whether a request to our API comes from our own pages. Browsers send `Origin` with every POST and DELETE; a request
 * without one comes from a program that has to bring the cookie itself.
 */
export function isSameOrigin(headers: Headers, externalUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("origin");
  return origin === null || origin === new URL(externalUrl).origin;
}
