import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { SecurityHeaders } from "./security-headers.ts";
import type { RefusalReason } from "./request-outcome.ts";

/** Answers a request to upgrade with a status and a sentence, and ends the connection. */
type RefuseUpgrade = (status: RefusedStatus, message: string) => void;

/** Takes over a connection that requested an upgrade, or rejects it; in both cases it owns the socket from then on. */
export type UpgradeHandler = (request: IncomingMessage, connection: UpgradeConnection) => void;

/** What a request for another protocol came on. */
interface UpgradeConnection {
  readonly socket: Duplex;
  /** First bytes after the request. */
  readonly head: Buffer;
  readonly refuse: RefuseUpgrade;
}

type RefusedStatus = 401 | 403 | 405 | 429 | 501;

/** What is done with connections. */
export interface ConnectionOptions {
  readonly refused: (reason: RefusalReason) => void;
  readonly securityHeaders: () => SecurityHeaders;
  /** Absent: upgrades are refused with 501. */
  readonly upgrade?: UpgradeHandler;
}

/** Bytes written while one runs would stand inside of it. */
type Answers = WeakMap<Duplex, ServerResponse>;

/**
 * Whether a request wants another protocol. An offer of HTTP/2 over plain TCP may be passed over (RFC 9113 §3.1), and is: the request
 * that bears it is whole without.
 */
export function wantsUpgrade({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const wanted = (headers.upgrade ?? "").split(",").map((name) => name.trim().toLowerCase());
  return wanted.some((name) => name !== "" && name !== "h2c");
}

/**
 * Answers what reaches a server of HTTP and becomes no request with a response object: what the parser gave up, upgrades, CONNECT. All
 * three end the connection.
 */
export function watchConnections(server: Server, options: ConnectionOptions): void {
  const { refused, securityHeaders, upgrade } = options;
  const answers: Answers = new WeakMap();
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => answers.set(request.socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refuseUnparsed(error, socket, securityHeaders())) refused("request");
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refuse: RefuseUpgrade = (status, message) => {
      refused("upgrade");
      refuseRaw(socket, status, { headers: securityHeaders(), message });
    };
    if (isAnswering(answers, socket)) socket.destroy();
    else if (upgrade) upgrade(request, { socket, head, refuse });
    else refuse(501, "The dashboard speaks only HTTP.");
  });
  server.on("connect", (request: IncomingMessage, to: Duplex | Http2ServerResponse) => {
    // Over HTTP/2 it is a request like any other, which no route knows.
    if (to instanceof Http2ServerResponse) server.emit("request", request, to);
    else if (isAnswering(answers, to)) to.destroy();
    else {
      refused("method");
      refuseRaw(to, 405, { headers: securityHeaders(), message: "This address does not know the method.", allow: "GET, HEAD" });
    }
  });
}

function isAnswering(answers: Answers, socket: Duplex): boolean {
  return answers.get(socket)?.writableFinished === false;
}

interface RawRefusal {
  readonly headers: SecurityHeaders;
  readonly message: string;
  readonly allow?: string;
}

/** Once it has left the socket goes: a client that never closes its half must not keep it. */
function refuseRaw(socket: Duplex, status: RefusedStatus, { headers, message, allow }: RawRefusal): void {
  socket.on("error", () => socket.destroy());
  const body = JSON.stringify({ reason: "invalid_request", message });
  const all = {
    ...headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    ...(allow === undefined ? {} : { allow }),
  };
  socket.end(headOf(status, all) + body, () => socket.destroy());
}

function headOf(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
}

/** What Node's parser gave up: no request, no response object, only a socket. @returns whether an answer could be sent */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket, headers: SecurityHeaders): boolean {
  const isHttp = error.code?.startsWith("HPE_") === true || error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  // Without a finished TLS handshake no answer can be sent: nothing that is written to such a socket ever leaves it.
  if (!isHttp || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return false;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  socket.write(headOf(status, { ...headers, "content-length": "0" }));
  // Not `end`: a client that never closes its half would keep the socket.
  socket.destroySoon();
  return true;
}
