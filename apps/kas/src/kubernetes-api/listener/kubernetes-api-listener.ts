import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";

import { HttpExit, sleep, type Clock, type Module } from "@binnacle/rpc";

import { bindServer, type ListenAddress } from "../../http2-listener/listen-address.ts";
import type { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";
import { NO_CONNECT, noteRaw, refuseRaw, refusalOfParser, type RawRefusals } from "../http/raw-refusal.ts";
import { UpgradeResponse, upgradeProtocolOf } from "../http/upgrade-response.ts";

/** How the listener behaves. */
export interface KubernetesApiListenerOptions {
  readonly listen: ListenAddress;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Answers what nothing else takes. */
  readonly proxy: Pick<KubernetesProxy, "handle">;
  readonly clock: Clock;
  /** How long running requests may go on while kas leaves. */
  readonly graceMs: number;
  /** Takes a WebSocket that kas serves itself; false: it is answered as any other request. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Takes a request that is not for the cluster's Kubernetes API; false: proxy it. */
  readonly intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Counts what never became a request. Default: not counted. */
  readonly refusals?: RawRefusals;
  /** Called when the grace period of ordinary requests is over: watches and WebSockets are notified to reconnect elsewhere. */
  readonly onLeave?: () => void;
}

/** A TLS handshake that takes longer is none. */
const HANDSHAKE_MS = 10_000;
/** How long what `onLeave` says may take to get out. */
const LAST_WORDS_MS = 1_000;

/** The port Kubernetes clients dial. It accepts at once. */
export class KubernetesApiListener implements Module {
  readonly name = "k8s-proxy listener";
  readonly address: string;
  readonly #options: KubernetesApiListenerOptions;
  readonly #exit: HttpExit;

  private constructor(options: KubernetesApiListenerOptions, bound: { readonly exit: HttpExit; readonly address: string }) {
    this.#options = options;
    this.#exit = bound.exit;
    this.address = bound.address;
  }

  /** @throws Error that names the listener and its address */
  static async open(options: KubernetesApiListenerOptions): Promise<KubernetesApiListener> {
    const settings = {
      maxHeaderSize: 32 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 0,
      keepAliveTimeout: 75_000,
      noDelay: true,
      // The proxy answers a missing Host in words.
      requireHostHeader: false,
      shouldUpgradeCallback: (request: IncomingMessage) => upgradeProtocolOf(request) !== undefined,
    };
    const { refusals } = options;
    const server: Server = options.tls
      ? createHttpsServer({ ...settings, ...options.tls, handshakeTimeout: HANDSHAKE_MS })
      : createHttpServer(settings);
    const exit = new HttpExit(server, options.clock);
    // Streams live as long as both sides want them.
    server.timeout = 0;
    /** The newest answer on each connection. */
    const answers = new WeakMap<Duplex, ServerResponse>();
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (!options.intercept(request, response)) void options.proxy.handle(request, response); // never rejects
    };
    server.on("request", (request, response) => {
      answers.set(request.socket, response);
      serve(request, response);
    });
    // Without a listener Node sends 100 Continue before the request was checked.
    server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => server.emit("request", request, response));
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      if (options.upgrade(request, socket, head)) return;
      const protocol = upgradeProtocolOf(request);
      if (protocol === undefined) socket.destroy();
      else serve(request, new UpgradeResponse(request, { protocol, head, clock: options.clock }));
    });
    server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => socket.destroy());
      refuseRaw(socket, NO_CONNECT, refusals);
    });
    server.on("clientError", (error, socket) => {
      const refused = refusalOfParser(error);
      // A client that has disconnected needs no refusal, and one without a finished TLS handshake cannot receive it: nothing written to such a socket is sent.
      if (refused === undefined || !socket.writable) return void socket.destroy();
      if (!isHalfAnswered(answers.get(socket))) return refuseRaw(socket, refused, refusals);
      noteRaw(socket, refused, refusals);
      socket.destroy();
    });
    return new KubernetesApiListener(options, { exit, address: await bindServer(server, "k8s-proxy", options.listen) });
  }

  /** Running requests go on for the grace period; then watches and WebSockets hear that they should come back. */
  async drain(deadline: AbortSignal): Promise<void> {
    const { clock, graceMs, onLeave } = this.#options;
    const graceOver = sleep(clock, graceMs, deadline);
    await Promise.race([this.#exit.drain(deadline), graceOver]);
    onLeave?.();
    await Promise.race([this.#exit.drain(deadline), sleep(clock, LAST_WORDS_MS, deadline)]);
  }

  close(): Promise<void> {
    return this.#exit.close();
  }
}

/** Whether bytes on this connection would stand inside of an answer, or count as one to a request that was not made yet. */
function isHalfAnswered(answer: ServerResponse | undefined): boolean {
  return answer !== undefined && answer.headersSent && !(answer.writableFinished && answer.req.complete);
}
