import { request } from "node:http";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, getCACertificates } from "node:tls";

import { Fault } from "@binnacle/rpc";
import { authorityOf, hostOf, portOf, type OutgoingProxy, proxyRefusal, type ProxyTarget } from "@binnacle/rpc/outgoing-proxy";

import { clientSessionOptions, widenSession } from "../session-options.ts";
import { MAX_WEBSOCKET_MESSAGE_BYTES, TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "../websocket-duplex.ts";
import { dialSteps, STEP_NAMES, type DialStep } from "./dial-state.ts";

/** How to dial. */
export interface DialOptions {
  /** PEM text of the authorities to trust instead of the built-in ones; used on every TLS way (`grpcs`, `wss`), and besides the built-in ones for a proxy. */
  readonly ca?: string | undefined;
  /** Gives the attempt up. A session that is already open stays. */
  readonly signal?: AbortSignal;
  /** Headers of the WebSocket upgrade, for example User-Agent; not used for `grpc` and `grpcs`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Until the server has sent its settings; default 10 s. */
  readonly timeoutMs?: number;
  /** Connects through this proxy; the target's name is resolved there. */
  readonly proxy?: OutgoingProxy | undefined;
}

/**
 * Opens an HTTP/2 session to `grpc://host:port`, `grpcs://…`, `ws://host:port/path` or `wss://…`. Resolves when the server has answered with its
 * settings: a listening port whose process is stopped does not count.
 *
 * @throws Fault `peer_unreachable` with the reason, `cancelled` when the signal aborted
 */
export async function dialHttp2(url: string, options: DialOptions = {}): Promise<ClientHttp2Session> {
  const target = new URL(url);
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const dial: Dial = { target, options, signal, host: hostOf(target), port: portOf(target), step: "tcp" };
  try {
    return await openSession(dial);
  } catch (error) {
    if (options.signal?.aborted === true) throw new Fault("cancelled", `dialling ${target.host} was given up`, { cause: error });
    const reason = timeout.aborted ? silence(dial) : error instanceof Error ? error.message || error.name : String(error);
    throw new Fault("peer_unreachable", `cannot reach ${target.protocol}//${target.host}: ${reason}`, { cause: error });
  }
}

/** One attempt. */
interface Dial {
  readonly target: URL;
  readonly options: DialOptions;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly port: number;
  /** What is being waited for. */
  step: DialStep;
}

const SCHEMES: ReadonlySet<string> = new Set(["grpc:", "grpcs:", "ws:", "wss:"]);

async function openSession(dial: Dial): Promise<ClientHttp2Session> {
  const { target, options, signal } = dial;
  const { protocol } = target;
  if (!SCHEMES.has(protocol)) throw new Error(`unknown scheme ${protocol} (grpc, grpcs, ws and wss are known)`);
  const [, ...steps] = dialSteps(protocol, options.proxy);
  let carrier: Duplex = await onConnected(tcpSocket(dial), "connect", signal);
  try {
    for (dial.step of steps) {
      if (dial.step !== "tcp" && dial.step !== "http2") carrier = await STEPS[dial.step](dial, carrier);
    }
    return await ready(connectHttp2(`http://${target.host}`, { ...clientSessionOptions(), createConnection: () => carrier }), signal);
  } catch (error) {
    carrier.on("error", () => {}).destroy();
    throw error;
  }
}

/** What each step makes of the carrier that the one before has made. */
const STEPS: Readonly<Record<Exclude<DialStep, "tcp" | "http2">, (dial: Dial, carrier: Duplex) => Promise<Duplex>>> = {
  "proxy-tls": trustProxy,
  "proxy-connect": ({ host, port, signal, options: { proxy } }, carrier) =>
    proxy === undefined ? Promise.resolve(carrier) : untilAborted(openProxyTunnel(carrier, proxy, { host, port }), carrier, signal),
  tls: trustTarget,
  websocket: openWebSocket,
};

async function trustProxy({ signal, options: { proxy, ca } }: Dial, carrier: Duplex): Promise<Duplex> {
  const trusted = ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] };
  const name = proxy?.host ?? "";
  const socket = connectTls({ socket: carrier, host: name, ...serverName(name), ALPNProtocols: ["http/1.1"], ...trusted });
  try {
    return await onConnected(socket, "secureConnect", signal);
  } catch (error) {
    throw new Error(`the proxy ${proxy?.name} cannot be trusted or spoken to: ${messageOf(error)}`, { cause: error });
  }
}

function trustTarget({ target, host, signal, options: { ca } }: Dial, carrier: Duplex): Promise<Duplex> {
  // A WebSocket begins with HTTP/1.1.
  const protocols = target.protocol === "wss:" ? {} : { ALPNProtocols: ["h2"] };
  const socket = connectTls({ socket: carrier, host, ...serverName(host), ...protocols, ...(ca === undefined ? {} : { ca }) });
  return onConnected(socket, "secureConnect", signal);
}

function tcpSocket({ host, port, options }: Dial): Socket {
  const { proxy } = options;
  return connectTcp({ host: proxy?.host ?? host, port: proxy?.port ?? port, noDelay: true });
}

/** A name is sent in the handshake; an IP address must not be (RFC 6066 §3). */
function serverName(host: string): { readonly servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}

/** Settles when `event` has come, or the socket has failed or is gone. */
function onConnected(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<Socket> {
  // Each layer on the socket handles its errors itself; between two steps there is no other listener.
  socket.on("error", () => {});
  const connected = new Promise<Socket>((resolve, reject) => {
    const closed = (): void => reject(new Error("the connection was closed before it was ready"));
    socket.once("error", reject);
    socket.once("close", closed);
    socket.once(event, () => {
      socket.off("error", reject);
      socket.off("close", closed);
      resolve(socket);
    });
  });
  return untilAborted(connected, socket, signal);
}

/** As `work`, which ends by an error when the signal aborts: its carrier is destroyed then. */
async function untilAborted<T>(work: Promise<T>, carrier: Duplex, signal: AbortSignal): Promise<T> {
  const abort = (): void => void carrier.destroy(new Error("given up"));
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await work;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Why a dial that took too long did. */
function silence({ step, options: { proxy }, host, port }: Dial): string {
  if (proxy !== undefined && step === "proxy-connect")
    return `the proxy ${proxy.name} accepted the connection and gave no answer in time to CONNECT ${authorityOf({ host, port })}`;
  const through =
    proxy === undefined ? "" : step === "tcp" || step === "proxy-tls" ? ` of the proxy ${proxy.name}` : ` through the proxy ${proxy.name}`;
  return `no answer in time${through} (${STEP_NAMES[step]})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function ready(session: ClientHttp2Session, signal: AbortSignal): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const abort = (): void => session.destroy(new Error("given up"));
    const settle = (): void => {
      signal.removeEventListener("abort", abort);
      session.off("error", onError);
      session.off("close", onClose);
    };
    const onError = (error: Error): void => {
      settle();
      // Later errors of an unused session.
      session.on("error", () => {});
      session.destroy();
      reject(error);
    };
    const onClose = (): void => {
      settle();
      reject(new Error("the connection was closed before it was ready"));
    };
    session.on("error", onError);
    session.on("close", onClose);
    session.once("remoteSettings", () => {
      settle();
      widenSession(session);
      resolve(session);
    });
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}

async function openWebSocket({ target, options, signal }: Dial, carrier: Duplex): Promise<Duplex> {
  // gRPC directly on TCP needs none of it.
  const { WebSocket } = await import("ws");
  return await new Promise((resolve, reject) => {
    const socket = new WebSocket(target, TUNNEL_SUBPROTOCOL, {
      headers: { ...options.headers },
      perMessageDeflate: false,
      maxPayload: MAX_WEBSOCKET_MESSAGE_BYTES,
      followRedirects: false,
      // It is connected already, and over TLS where the scheme requires it. The types require a Socket; a tunnel has what is used of it.
      createConnection: () => carrier as Socket,
    });
    const abort = (): void => socket.terminate();
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", (error) => {
      signal.removeEventListener("abort", abort);
      reject(error);
    });
    socket.once("open", () => {
      signal.removeEventListener("abort", abort);
      socket.removeAllListeners("error");
      resolve(new WebSocketDuplex(socket));
    });
    if (signal.aborted) abort();
  });
}

/**
 * Requests a tunnel from the proxy over a connection to it.
 *
 * @param target its name is resolved by the proxy
 * @returns the same connection, which leads to the target from now on
 * @throws Error with a sentence that names the proxy, without its credentials
 */
function openProxyTunnel(socket: Duplex, proxy: OutgoingProxy, target: ProxyTarget): Promise<Duplex> {
  const authority = authorityOf(target);
  return new Promise((resolve, reject) => {
    const connect = request({
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization }) },
      createConnection: () => socket,
    });
    connect.once("error", () =>
      reject(new Error(`the proxy ${proxy.name} closed the connection without an answer to CONNECT ${authority}`)),
    );
    connect.once("connect", (response, tunnel, head) => {
      // Any status ends here; there is no "response" to CONNECT.
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) {
        tunnel.destroy();
        return reject(new Error(proxyRefusal(proxy, authority, status)));
      }
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    connect.end();
  });
}
