import { createServer as createHttp1Server, type Server as Http1Server } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

import {
  keepAlive,
  MAX_WEBSOCKET_MESSAGE_BYTES,
  serverSessionOptions,
  TUNNEL_SUBPROTOCOL,
  WebSocketDuplex,
  widenSession,
} from "@binnacle/grpc-wire";
import { sleep, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { WebSocketServer } from "ws";

import { bindServer, type ListenAddress } from "./listen-address.ts";
import { sniffProtocol } from "./preface.ts";

/** One request: an HTTP/2 stream before anything was answered. */
export interface IncomingStream {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly session: ServerHttp2Session;
}

/** How a listener behaves. */
export interface Http2ListenerOptions {
  /** For logs and errors: "agent", "internal". */
  readonly name: string;
  readonly listen: ListenAddress;
  /** PEM certificate and key. Absent: plain TCP. */
  readonly tls?: Pick<TlsOptions, "cert" | "key">;
  /** Also takes WebSockets of sub-protocol `ws-tunnel`, on any path, and speaks HTTP/2 inside of them. */
  readonly webSocket: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Time between keepalive pings; default 50 s. */
  readonly keepAliveMs?: number;
  /** A session is told to go away at 0.8 to 1.2 times this age. Absent: never. */
  readonly maxConnectionAgeMs?: number;
  /** How long running streams may go on after the listener was stopped; default 5 s. */
  readonly shutdownGraceMs?: number;
  /** Whoever answers. Called synchronously; must not throw. */
  readonly onStream: (incoming: IncomingStream) => void;
  /** The session was told to go away (GOAWAY is on its way): time to end idle streams of it. */
  readonly onSessionDraining?: (session: ServerHttp2Session) => void;
  readonly onSessionClosed?: (session: ServerHttp2Session) => void;
}

const FIRST_BYTES_MS = 10_000;
const PING_TIMEOUT_MS = 20_000;

/**
 * A listener for raw HTTP/2 streams, as `decisions.md` §2 wants it: one TCP or TLS port; HTTP/2 with prior knowledge and, if
 * wanted, HTTP/2 inside a WebSocket. The error of one connection stays on that connection.
 */
export class Http2Listener implements Module {
  readonly name: string;
  /** What is really bound, "host:port" or a path. */
  readonly address: string;
  readonly #options: Http2ListenerOptions;
  readonly #server: Server;
  readonly #sessions: Set<ServerHttp2Session>;
  readonly #sockets: Set<Socket>;

  private constructor(options: Http2ListenerOptions, bound: Bound) {
    this.name = `${options.name} listener`;
    this.address = bound.address;
    this.#options = options;
    this.#server = bound.server;
    this.#sessions = bound.sessions;
    this.#sockets = bound.sockets;
  }

  /**
   * Binds the port and begins to accept. Let `run` follow, which closes it again.
   *
   * @throws Error that names the listener and its address
   */
  static async open(options: Http2ListenerOptions): Promise<Http2Listener> {
    const sessions = new Set<ServerHttp2Session>();
    const sockets = new Set<Socket>();
    const http2 = http2ServerOf(options, sessions);
    const http1 = http1ServerOf(options, http2);
    const accept = (socket: Socket): void => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.setNoDelay(true);
      sniffProtocol(socket, { clock: options.clock, timeoutMs: FIRST_BYTES_MS }, (protocol) => {
        if (protocol === "http2") http2.emit("connection", socket);
        else http1.emit("connection", socket);
      });
    };
    const server = options.tls ? createTlsServer({ ...options.tls, ALPNProtocols: ["h2", "http/1.1"] }, accept) : createTcpServer(accept);
    server.on("tlsClientError", (error: Error) => options.log.debug({ error, listener: options.name }, "tls handshake failed"));
    const address = await bindServer(server, options.name, options.listen);
    server.on("error", (error) => options.log.error({ error, listener: options.name }, "accepting a connection failed"));
    return new Http2Listener(options, { server, address, sessions, sockets });
  }

  /** Serves until `signal` aborts, then sends every client away, lets running streams end within the grace period, and closes. */
  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const session of this.#sessions) drain(session, this.#options);
    const graceOver = new AbortController();
    const emptied = closed.then(() => graceOver.abort());
    await sleep(this.#options.clock, this.#options.shutdownGraceMs ?? 5_000, graceOver.signal);
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await emptied;
  }
}

interface Bound {
  readonly server: Server;
  readonly address: string;
  readonly sessions: Set<ServerHttp2Session>;
  readonly sockets: Set<Socket>;
}

function http2ServerOf(options: Http2ListenerOptions, sessions: Set<ServerHttp2Session>): Http2Server {
  const { clock, log } = options;
  const server = createHttp2Server(serverSessionOptions());
  server.on("session", (session) => {
    sessions.add(session);
    widenSession(session);
    keepAlive(session, { clock, intervalMs: options.keepAliveMs ?? 50_000, timeoutMs: PING_TIMEOUT_MS });
    const age = options.maxConnectionAgeMs;
    const cancelAge = age === undefined ? undefined : clock.after(age * (0.8 + Math.random() * 0.4), () => drain(session, options));
    session.on("close", () => {
      sessions.delete(session);
      cancelAge?.();
      options.onSessionClosed?.(session);
    });
  });
  server.on("sessionError", (error: Error) => log.debug({ error, listener: options.name }, "connection failed"));
  server.on("stream", (stream, headers, ...[, rawHeaders]: [flags: number, rawHeaders: string[]]) => {
    // Without a listener a reset would end the process.
    stream.on("error", () => undefined);
    // A stream of a server belongs to a session of a server; the types only know the base class.
    const session = stream.session as ServerHttp2Session | undefined;
    if (session) options.onStream({ stream, headers, rawHeaders, session });
  });
  return server;
}

/** HTTP/1.1 is only the way to a WebSocket. */
function http1ServerOf(options: Http2ListenerOptions, http2: Http2Server): Http1Server {
  const { webSocket, log } = options;
  const server = createHttp1Server({ maxHeaderSize: 32 * 1024 }, (_request, response) => {
    response.writeHead(webSocket ? 426 : 400, {
      "content-type": "text/plain",
      connection: "close",
      ...(webSocket ? { upgrade: "websocket" } : {}),
    });
    response.end(
      webSocket ? `this port speaks HTTP/2, also inside a WebSocket of sub-protocol ${TUNNEL_SUBPROTOCOL}\n` : "this port speaks HTTP/2\n",
    );
  });
  const webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_WEBSOCKET_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(TUNNEL_SUBPROTOCOL) ? TUNNEL_SUBPROTOCOL : false),
  });
  server.on("connection", (socket: Socket) => {
    socket.setTimeout(FIRST_BYTES_MS, () => socket.destroy());
  });
  server.on("clientError", (error, socket) => {
    log.debug({ error, listener: options.name }, "broken http request");
    socket.destroy();
  });
  server.on("upgrade", (request, duplex, head) => {
    const offered = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
    if (!webSocket || !offered.includes(TUNNEL_SUBPROTOCOL)) {
      duplex.end(`HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    request.socket.setTimeout(0);
    webSockets.handleUpgrade(request, duplex, head, (opened) => http2.emit("connection", new WebSocketDuplex(opened)));
  });
  return server;
}

/** GOAWAY first: what ends after it makes the client connect anew, perhaps to another kas. */
function drain(session: ServerHttp2Session, options: Http2ListenerOptions): void {
  if (session.destroyed || session.closed) return;
  session.close();
  options.onSessionDraining?.(session);
}
