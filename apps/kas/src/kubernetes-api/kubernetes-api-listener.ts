import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";

import { HttpExit, sleep, type Clock, type Module } from "@binnacle/rpc";

import { bindServer, type ListenAddress } from "../http2-listener/listen-address.ts";
import type { KubernetesProxy } from "./kubernetes-proxy.ts";
import { ProxyRefusal } from "./proxy-refusal.ts";
import { NO_UPGRADE, refuseRaw, refusalOfParser, wantsUpgrade } from "./raw-refusal.ts";

/** How the listener behaves. */
export interface KubernetesApiListenerOptions {
  readonly listen: ListenAddress;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly proxy: KubernetesProxy;
  readonly clock: Clock;
  /** How long running requests may go on while kas leaves. */
  readonly graceMs: number;
  /** Takes an upgrade; false: nobody serves it. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Takes a plain request that is not for the cluster; false: proxy it. */
  readonly intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Called when the requests that end by themselves have had their time: watches and WebSockets are told to come back elsewhere. */
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
      shouldUpgradeCallback: wantsUpgrade,
    };
    const server: Server = options.tls
      ? createHttpsServer({ ...settings, ...options.tls, handshakeTimeout: HANDSHAKE_MS })
      : createHttpServer(settings);
    const exit = new HttpExit(server, options.clock);
    // Streams live as long as both sides want them.
    server.timeout = 0;
    server.on("request", (request, response) => {
      if (!options.intercept(request, response)) void options.proxy.handle(request, response); // never rejects
    });
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      if (!options.upgrade(request, socket, head)) refuseRaw(socket, NO_UPGRADE);
    });
    server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => socket.destroy());
      refuseRaw(socket, new ProxyRefusal(405, "the method CONNECT is not served"));
    });
    server.on("clientError", (error, socket) => {
      if (socket.writable) refuseRaw(socket, refusalOfParser(error));
      else socket.destroy();
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
