import { connect, type ClientHttp2Session } from "node:http2";
import type { Duplex } from "node:stream";

import { Fault } from "@binnacle/rpc";

import { clientSessionOptions, widenSession } from "./session-options.ts";
import { MAX_WEBSOCKET_MESSAGE_BYTES, TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "./websocket-duplex.ts";

/** How to dial. */
export interface DialOptions {
  /** PEM text of the authorities to trust instead of the built-in ones; used on every TLS way (`grpcs`, `wss`). */
  readonly ca?: string | undefined;
  /** Gives the attempt up. A session that is already open stays. */
  readonly signal?: AbortSignal;
  /** Headers of the WebSocket upgrade, for example User-Agent; not used for `grpc` and `grpcs`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Until the server has sent its settings; default 10 s. */
  readonly timeoutMs?: number;
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
  try {
    return await openSession(target, { ...options, signal });
  } catch (error) {
    if (options.signal?.aborted === true) throw new Fault("cancelled", `dialling ${target.host} was given up`, { cause: error });
    const reason = timeout.aborted ? "no answer in time" : error instanceof Error ? error.message || error.name : String(error);
    throw new Fault("peer_unreachable", `cannot reach ${target.protocol}//${target.host}: ${reason}`, { cause: error });
  }
}

type Dialling = DialOptions & { readonly signal: AbortSignal };

async function openSession(target: URL, options: Dialling): Promise<ClientHttp2Session> {
  switch (target.protocol) {
    case "grpc:":
      return ready(connect(`http://${hostOf(target)}`, clientSessionOptions()), options.signal);
    case "grpcs:":
      return ready(
        connect(`https://${hostOf(target)}`, { ...clientSessionOptions(), ...(options.ca === undefined ? {} : { ca: options.ca }) }),
        options.signal,
      );
    case "ws:":
    case "wss:": {
      const duplex = await openWebSocket(target, options);
      return ready(connect(`http://${target.host}`, { ...clientSessionOptions(), createConnection: () => duplex }), options.signal);
    }
    default:
      throw new Error(`unknown scheme ${target.protocol} (grpc, grpcs, ws and wss are known)`);
  }
}

/** `grpc://host` means the port of the scheme underneath. */
function hostOf(target: URL): string {
  return target.port === "" ? `${target.hostname}:${target.protocol === "grpcs:" ? 443 : 80}` : target.host;
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
      // Later errors of a session that nobody uses.
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

async function openWebSocket(target: URL, options: Dialling): Promise<Duplex> {
  // Whoever speaks gRPC on TCP needs none of it.
  const { WebSocket } = await import("ws");
  return await new Promise((resolve, reject) => {
    const { ca, headers, signal } = options;
    const tls = ca === undefined ? {} : { ca };
    const socket = new WebSocket(target, TUNNEL_SUBPROTOCOL, {
      ...tls,
      headers: { ...headers },
      perMessageDeflate: false,
      maxPayload: MAX_WEBSOCKET_MESSAGE_BYTES,
      followRedirects: false,
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
