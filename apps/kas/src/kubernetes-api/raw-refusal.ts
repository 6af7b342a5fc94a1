import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { ProxyRefusal } from "./proxy-refusal.ts";

/** Protocols that Kubernetes' clients upgrade to. Any other wish may be left unheard (RFC 9110 §7.8): curl and Java ask for h2c each time. */
const UPGRADES = /(?:^|,)\s*(?:websocket|spdy\/3\.1)\s*(?:,|$)/i;

/** Until exec, attach and port-forward are served. */
export const NO_UPGRADE = new ProxyRefusal(501, "exec, attach and port-forward are not served yet", { reason: "not_implemented" });

/** Whether a request is for a connection of its own; otherwise it is served as if it had not asked. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  return UPGRADES.test(request.headers.upgrade ?? "");
}

/** What the parser of HTTP did not take, by the code of its error. */
export function refusalOfParser(error: Error & { readonly code?: string }): ProxyRefusal {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return new ProxyRefusal(431, "the headers are too large");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new ProxyRefusal(413, "the extensions of a chunk are too large");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ProxyRefusal(408, "the headers did not come in time");
    default:
      return new ProxyRefusal(400, "this is no HTTP request");
  }
}

/** Answers on a socket that carries no request, with a Status as always, and closes it. */
export function refuseRaw(socket: Duplex, refusal: ProxyRefusal): void {
  const body = JSON.stringify(refusal.status);
  const headers = {
    ...refusal.headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "x-content-type-options": "nosniff",
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code] ?? ""}\r\n${lines.join("")}\r\n${body}`);
}
