import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "@binnacle/rpc";
import { createWebSocketStream, WebSocketServer, type WebSocket } from "ws";

import { badRequest } from "../status.ts";

/** A request that asks for another protocol, with the connection it came on. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** First bytes after the request. */
  readonly head: Buffer;
}

/** Times of upgraded connections. */
export interface StreamSettings {
  readonly clock: Clock;
  /** A connection without a byte for so long is closed; the kubelet's `streamingConnectionIdleTimeout` is 4 h. */
  readonly idleMs: number;
}

/** The protocol a client and this server agreed on. */
export interface Agreement {
  readonly transport: "spdy" | "websocket";
  readonly protocol: string;
}

/** Messages above this size end a WebSocket. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

const SOCKETS = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_MESSAGE_BYTES,
  perMessageDeflate: false,
  // The chosen protocol is the only one left in the request's header.
  handleProtocols: (offered) => offered.values().next().value ?? false,
});

/** True for a request that these streams answer; other upgrades (h2c) are ignored, as RFC 9110 allows. */
export function isStreamUpgrade(request: Pick<IncomingMessage, "headers">): boolean {
  const upgrade = request.headers.upgrade?.toLowerCase() ?? "";
  return upgrade === "websocket" || upgrade === "spdy/3.1";
}

/**
 * Chooses the protocol: of those the server supports, the first one that the client offers, in the client's order.
 *
 * @throws StreamError 400 when there is none
 */
export function agree(
  request: IncomingMessage,
  supported: { readonly spdy: readonly string[]; readonly websocket: readonly string[] },
): Agreement {
  if (!isStreamUpgrade(request)) throw badRequest("Upgrade request required");
  const transport = request.headers.upgrade?.toLowerCase() === "websocket" ? "websocket" : "spdy";
  const header = transport === "spdy" ? "x-stream-protocol-version" : "sec-websocket-protocol";
  const offered = (request.headersDistinct[header] ?? []).flatMap((line) => line.split(",")).map((one) => one.trim());
  const protocol = offered.length === 0 ? supported[transport].at(-1) : offered.find((one) => supported[transport].includes(one));
  if (protocol === undefined) {
    const lists = `client supports [${offered.join(" ")}], server accepts [${supported[transport].join(" ")}]`;
    throw badRequest(`unable to upgrade: unable to negotiate protocol: ${lists}`);
  }
  return { transport, protocol };
}

/** Answers `101 Switching Protocols` for SPDY/3.1. */
export function acceptSpdy({ socket }: Upgrade, protocol: string): void {
  const lines = ["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", "Upgrade: SPDY/3.1", `X-Stream-Protocol-Version: ${protocol}`];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
}

/** Answers `101 Switching Protocols` for a WebSocket with this subprotocol (none when it is empty). */
export function acceptWebSocket({ request, socket, head }: Upgrade, protocol: string): Promise<WebSocket> {
  if (protocol === "") delete request.headers["sec-websocket-protocol"];
  else request.headers["sec-websocket-protocol"] = protocol;
  return new Promise((resolve, reject) => {
    socket.once("close", () => reject(badRequest("the WebSocket handshake failed")));
    SOCKETS.handleUpgrade(request, socket, head, resolve);
  });
}

/** The bytes in a WebSocket's binary messages, with back-pressure both ways. */
export function bytesOf(socket: WebSocket): Duplex {
  return createWebSocketStream(socket, { highWaterMark: 64 * 1024 });
}
