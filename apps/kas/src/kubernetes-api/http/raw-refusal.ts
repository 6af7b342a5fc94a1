import { STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { RefusalReason } from "../../agent-call/routing-metrics.ts";
import type { Refusals } from "../../http2-listener/refusals.ts";
import { addressOf } from "../../http2-listener/session-peer.ts";
import { ProxyRefusal } from "./proxy-refusal.ts";

/** A request for a forward proxy, which an API server does not serve. */
export const NO_CONNECT: RawRefusal = {
  refusal: new ProxyRefusal(405, "the method CONNECT is not served"),
  reason: "unknown_method",
};

/** An answer on a bare socket, and the word it is counted under. */
export interface RawRefusal {
  readonly refusal: ProxyRefusal;
  readonly reason: RefusalReason;
}

/** What the parser of HTTP did not take, by the code of its error; undefined for errors of the connection. */
export function refusalOfParser(error: Error & { readonly code?: string }): RawRefusal | undefined {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return { refusal: new ProxyRefusal(431, "the headers are too large"), reason: "headers_too_large" };
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { refusal: new ProxyRefusal(413, "the extensions of a chunk are too large"), reason: "malformed" };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { refusal: new ProxyRefusal(408, "the headers did not come in time"), reason: "headers_timeout" };
    default:
      if (error.code?.startsWith("HPE_") !== true) return undefined;
      return { refusal: new ProxyRefusal(400, "this is no HTTP request"), reason: "malformed" };
  }
}

/** Counts what is refused on bare sockets, where no request is counted. */
export type RawRefusals = Pick<Refusals, "note">;

/** Counts it, with the other end of the socket. */
export function noteRaw(socket: Duplex, { refusal, reason }: RawRefusal, refusals?: RawRefusals): void {
  refusals?.note({ peer: socket instanceof Socket ? addressOf(socket) : "unknown", reason, error: refusal });
}

/** Answers on a socket that carries no request, with a Status as always, closes it, and counts it. */
export function refuseRaw(socket: Duplex, raw: RawRefusal, refusals?: RawRefusals): void {
  noteRaw(socket, raw, refusals);
  const { refusal } = raw;
  // A client that does not wait for the response is not an error of kas.
  socket.on("error", () => socket.destroy());
  const body = JSON.stringify(refusal.status);
  const headers = {
    ...refusal.headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "x-content-type-options": "nosniff",
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // A client that never closes its half would keep the socket otherwise.
  socket.end(`HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code] ?? ""}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}
