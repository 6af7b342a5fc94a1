import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";

import { createStatus } from "@binnacle/kube";
import { sleep, type Clock, type Module } from "@binnacle/rpc";

import { bindServer, type ListenAddress } from "../http2-listener/listen-address.ts";
import type { KubernetesProxy } from "./kubernetes-proxy.ts";

/** How the listener behaves. */
export interface KubernetesApiListenerOptions {
  readonly listen: ListenAddress;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly proxy: KubernetesProxy;
  readonly clock: Clock;
  /** How long running requests may go on after the listener was stopped. */
  readonly graceMs: number;
  /** Takes an upgrade; false: nobody serves it. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Takes a plain request that is not for the cluster; false: proxy it. */
  readonly intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Called when the listener was stopped, so that upgraded connections can take their leave; what is left is cut after `graceMs`. */
  readonly onStop?: () => void;
}

/** The port Kubernetes clients dial. It accepts at once; `run` closes it. */
export class KubernetesApiListener implements Module {
  readonly name = "k8s-proxy listener";
  readonly address: string;
  readonly #server: Server;
  readonly #options: KubernetesApiListenerOptions;
  /** The server itself forgets them. */
  readonly #upgraded: ReadonlySet<Duplex>;

  private constructor(
    options: KubernetesApiListenerOptions,
    bound: { readonly server: Server; readonly address: string; readonly upgraded: ReadonlySet<Duplex> },
  ) {
    this.#options = options;
    this.#upgraded = bound.upgraded;
    this.#server = bound.server;
    this.address = bound.address;
  }

  /** @throws Error that names the listener and its address */
  static async open(options: KubernetesApiListenerOptions): Promise<KubernetesApiListener> {
    const settings = { maxHeaderSize: 32 * 1024, headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 75_000, noDelay: true };
    const server: Server = options.tls ? createHttpsServer({ ...settings, ...options.tls }) : createHttpServer(settings);
    const upgraded = new Set<Duplex>();
    // Streams live as long as both sides want them.
    server.timeout = 0;
    server.on("request", (request, response) => {
      if (!options.intercept(request, response)) void options.proxy.handle(request, response); // never rejects
    });
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      upgraded.add(socket);
      socket.once("close", () => upgraded.delete(socket));
      if (!options.upgrade(request, socket, head)) refuseUpgrade(socket);
    });
    server.on("clientError", (_error, socket) => {
      if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      else socket.destroy();
    });
    return new KubernetesApiListener(options, { server, upgraded, address: await bindServer(server, "k8s-proxy", options.listen) });
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    const graceOver = new AbortController();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve())).then(() => graceOver.abort());
    this.#server.closeIdleConnections();
    this.#options.onStop?.();
    await sleep(this.#options.clock, this.#options.graceMs, graceOver.signal);
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }
}

function refuseUpgrade(socket: Duplex): void {
  const body = JSON.stringify(createStatus(501, "agent server: exec, attach and port-forward are not served yet"));
  socket.end(
    `HTTP/1.1 501 Not Implemented\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
