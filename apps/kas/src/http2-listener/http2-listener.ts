import { createServer as createHttp1Server, type Server as Http1Server } from "node:http";
import {
  constants,
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

import {
  AnswerStream,
  AuthorityRewriter,
  keepAlive,
  MAX_WEBSOCKET_MESSAGE_BYTES,
  serverSessionOptions,
  TUNNEL_SUBPROTOCOL,
  WebSocketDuplex,
  widenSession,
} from "@binnacle/grpc-wire";
import { type Clock, type Module, type RequestOrigin, sleep, stopAccepting, stopAcceptingAtOnce } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { WebSocketServer } from "ws";

import { bindServer, type ListenAddress } from "./listen-address.ts";
import { sniffProtocol } from "./preface.ts";
import type { Refusals } from "./refusals.ts";
import { SessionAdmission, UNPROVED_WINDOW_BYTES, type ProofVerdict } from "./session-admission.ts";
import { beginDraining } from "./session-draining.ts";
import { addressOf, openSession, peerOf, type SessionPeer } from "./session-peer.ts";

/** One request: an HTTP/2 stream before anything was answered. */
export interface IncomingStream {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly session: ServerHttp2Session;
  /** Where it came from; inside a WebSocket: where the WebSocket came from. */
  readonly origin: RequestOrigin;
  readonly peer: SessionPeer;
  /** The credential of this stream is being checked. @returns say once how it ended */
  readonly beginProof: () => (verdict: ProofVerdict) => void;
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
  /** Streams one client may have open; default 1,100. */
  readonly maxStreams?: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly refusals: Refusals;
  /** How long a connection may live without a good credential; default 30 s. */
  readonly proofMs?: number;
  /** Connections of one address that show no credential; default 64. */
  readonly maxUnauthenticatedPerAddress?: number;
  /** Time between keepalive pings; default 50 s. */
  readonly keepAliveMs?: number;
  /** A session gets GOAWAY at 0.8 to 1.2 times this age. Absent: never. */
  readonly maxConnectionAgeMs?: number;
  /** How long running streams may continue after the last client got GOAWAY; default 5 s. */
  readonly shutdownGraceMs?: number;
  /** Answers a stream. Called synchronously; what it throws resets that stream alone. */
  readonly onStream: (incoming: IncomingStream) => void;
  /** GOAWAY was sent on the session: its idle streams should end. `leaving`: kas shuts down. */
  readonly onSessionDraining?: (session: ServerHttp2Session, why: "age" | "leaving") => void;
  readonly onSessionClosed?: (session: ServerHttp2Session) => void;
}

/** Clients are sent away one after the other, so that the kas they go to is not overrun: 50 a second, all within ten seconds. */
const NOTHING = (): void => {};
const PACE_MS = 20;
const MAX_PACE_MS = 10_000;
const FIRST_BYTES_MS = 10_000;
const PING_TIMEOUT_MS = 20_000;
const PROOF_MS = 30_000;
const MAX_UNAUTHENTICATED_PER_ADDRESS = 64;

/**
 * A listener for raw HTTP/2 streams (docs/design/contract.md "Listeners"): one TCP or TLS port; HTTP/2 with prior knowledge and, if
 * wanted, HTTP/2 inside a WebSocket. The error of one connection stays on that connection.
 */
export class Http2Listener implements Module {
  readonly name: string;
  /** What is really bound, "host:port" or a path. */
  readonly address: string;
  readonly #options: Http2ListenerOptions;
  readonly #server: Server;
  readonly #state: State;
  /** Settles when the last connection is gone. */
  #closed: Promise<void> | undefined;

  private constructor(options: Http2ListenerOptions, bound: Bound) {
    this.name = `${options.name} listener`;
    this.address = bound.address;
    this.#options = options;
    this.#server = bound.server;
    this.#state = bound.state;
  }

  /**
   * Binds the port and begins to accept.
   *
   * @throws Error that names the listener and its address
   */
  static async open(options: Http2ListenerOptions): Promise<Http2Listener> {
    const state: State = { sessions: new Set(), sockets: new Set(), draining: false };
    const http2 = http2ServerOf(options, state);
    const http1 = http1ServerOf(options, http2);
    const accept = (socket: Socket): void => {
      socket.setNoDelay(true);
      sniffProtocol(socket, { clock: options.clock, timeoutMs: FIRST_BYTES_MS }, (protocol) => {
        if (protocol === "http2")
          openSession(http2, socket, { address: addressOf(socket), transport: "grpc", origin: { peer: socket.remoteAddress } });
        else http1.emit("connection", socket);
      });
    };
    const server = options.tls
      ? createTlsServer({ ...options.tls, ALPNProtocols: ["h2", "http/1.1"], handshakeTimeout: FIRST_BYTES_MS }, accept)
      : createTcpServer(accept);
    // Raw sockets, before TLS is done: `close` must find them.
    server.on("connection", (socket: Socket) => {
      state.sockets.add(socket);
      socket.on("close", () => state.sockets.delete(socket));
    });
    server.on("tlsClientError", (error: Error, socket: Socket) => {
      options.log.debug({ error, listener: options.name }, "tls handshake failed");
      // Node leaves it open when the time is over.
      socket.destroy();
    });
    const address = await bindServer(server, options.name, options.listen);
    server.on("error", (error) => options.log.error({ error, listener: options.name }, "accepting a connection failed"));
    return new Http2Listener(options, { server, address, state });
  }

  /** Accepts nothing more, sends every client away at a measured pace, and lets running streams end within the grace period. */
  async drain(deadline: AbortSignal): Promise<void> {
    const { clock, shutdownGraceMs } = this.#options;
    const emptied = (this.#closed ??= stopAccepting(this.#server));
    const steps = Math.max(0, this.#state.sessions.size - 1);
    const paceMs = Math.min(MAX_PACE_MS, steps * PACE_MS);
    let place = 0;
    for (const session of this.#state.sessions) {
      // The first gets GOAWAY at once; so does a client that comes later, out of a handshake.
      if (place === 0) drain(session, this.#options, "leaving");
      else clock.after((paceMs * place) / steps, () => drain(session, this.#options, "leaving"));
      place += 1;
    }
    this.#state.draining = true;
    await Promise.race([emptied, sleep(clock, paceMs + (shutdownGraceMs ?? 5_000), deadline)]);
  }

  async close(): Promise<void> {
    const atOnce = stopAcceptingAtOnce(this.#server);
    const emptied = (this.#closed ??= atOnce);
    this.#server.close();
    for (const session of this.#state.sessions) session.destroy();
    for (const socket of this.#state.sockets) socket.destroy();
    await emptied;
  }
}

/** What a listener has accepted. */
interface State {
  readonly sessions: Set<ServerHttp2Session>;
  readonly sockets: Set<Socket>;
  draining: boolean;
}

interface Bound {
  readonly server: Server;
  readonly address: string;
  readonly state: State;
}

function http2ServerOf(options: Http2ListenerOptions, state: State): Http2Server {
  const { sessions } = state;
  const { clock, log } = options;
  const { refusals } = options;
  const admission = new SessionAdmission({
    clock,
    maxPerAddress: options.maxUnauthenticatedPerAddress ?? MAX_UNAUTHENTICATED_PER_ADDRESS,
    proofMs: options.proofMs ?? PROOF_MS,
    onRefused: (peer, reason) => refusals.note({ peer, reason }),
  });
  const defaults = serverSessionOptions(options.maxStreams);
  const server = createHttp2Server({ ...defaults, settings: { ...defaults.settings, initialWindowSize: UNPROVED_WINDOW_BYTES } });
  server.on("session", (session) => {
    sessions.add(session);
    widenSession(session);
    keepAlive(session, { clock, intervalMs: options.keepAliveMs ?? 50_000, timeoutMs: PING_TIMEOUT_MS });
    const age = options.maxConnectionAgeMs;
    const cancelAge = age === undefined ? undefined : clock.after(age * (0.8 + Math.random() * 0.4), () => drain(session, options, "age"));
    if (state.draining) drain(session, options, "leaving");
    session.on("close", () => {
      sessions.delete(session);
      cancelAge?.();
      options.onSessionClosed?.(session);
    });
    admission.admit(session, peerOf(session).address);
  });
  server.on("sessionError", (error: Error, session: ServerHttp2Session) =>
    refusals.note({ peer: peerOf(session).address, reason: "session_error", error }),
  );
  server.on("stream", (stream, headers, ...[, rawHeaders]: [flags: number, rawHeaders: string[]]) => {
    // Without a listener a reset would end the process.
    stream.on("error", NOTHING);
    // A stream of a server belongs to a session of a server; the types only know the base class.
    const session = stream.session as ServerHttp2Session | undefined;
    if (!session) return;
    const peer = peerOf(session);
    const beginProof = () => admission.check(session);
    try {
      options.onStream({ stream, headers, rawHeaders, session, peer, beginProof, origin: originOf(peer.origin, headers) });
    } catch (error) {
      log.error({ error, listener: options.name, peer: peer.address }, "answering a stream failed");
      new AnswerStream(stream).reset(constants.NGHTTP2_INTERNAL_ERROR);
    }
  });
  return server;
}

/** What a proxy of HTTP/2 wrote stands on the request, what one of WebSockets wrote on the handshake. */
function originOf({ peer, forwardedFor }: RequestOrigin, headers: IncomingHttpHeaders): RequestOrigin {
  return { peer, forwardedFor: headers["x-forwarded-for"] ?? forwardedFor };
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
  // A server that does not listen itself looks after no timeouts. Each connection here brings one request, whole within this time.
  const deadlines = new WeakMap<Duplex, () => void>();
  server.on("connection", (socket: Socket) => {
    const cancel = options.clock.after(FIRST_BYTES_MS, () => socket.destroy());
    deadlines.set(socket, cancel);
    socket.once("close", cancel);
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
    deadlines.get(duplex)?.();
    const origin = { peer: request.socket.remoteAddress, forwardedFor: request.headersDistinct["x-forwarded-for"] };
    const peer: SessionPeer = { address: addressOf(request.socket), transport: "websocket", origin };
    webSockets.handleUpgrade(request, duplex, head, (opened) => {
      openSession(http2, new WebSocketDuplex(opened, new AuthorityRewriter()), peer);
    });
  });
  return server;
}

/** GOAWAY first: what ends after it makes the client connect anew, perhaps to another kas. */
function drain(session: ServerHttp2Session, options: Http2ListenerOptions, why: "age" | "leaving"): void {
  if (session.destroyed || session.closed) return;
  session.close();
  beginDraining(session);
  options.onSessionDraining?.(session, why);
}
