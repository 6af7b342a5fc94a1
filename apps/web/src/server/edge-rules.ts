import type { IncomingMessage } from "node:http";

import type { RefusalReason } from "./web-metrics.ts";
import { hasBody } from "./read-body.ts";

/** Who answers a path. */
export type EdgeRoute = "liveness" | "readiness" | "session" | "rpc" | "page";

/** Why a request is not answered, in words for whoever sent it. */
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
  if (path === "/healthz") return "liveness";
  if (path === "/readyz") return "readiness";
  if (path === "/api/session" || path.startsWith("/api/session/")) return "session";
  return CALL.test(path) ? "rpc" : "page";
}

/**
 * What no part of the server takes: a target that is no path (RFC 9112 §3.2; we are no proxy), no host or two of them (§3.2), a
 * method that the route does not know, a body where none belongs.
 */
export function edgeRefusalOf(request: IncomingMessage, route: EdgeRoute): EdgeRefusal | undefined {
  const target = request.url ?? "";
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
  if (!target.startsWith("/")) return { status: 400, reason: "request", message: "The request names no path." };
  if (hosts > 1 || (hosts === 0 && request.httpVersion === "1.1"))
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

/** Whether the escapes of a path are UTF-8; Next has no answer for a page whose address is not. */
export function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
