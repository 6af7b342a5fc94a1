import { once } from "node:events";
import { createServer, type Server } from "node:http";

import type { Module } from "@binnacle/rpc";
import type { Registry } from "prom-client";

/** What the probes need. */
export interface ProbeServerOptions {
  /** An empty host means all addresses; port 0 a free one. */
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly ready: () => boolean;
}

/** The only listener of agentk: `/metrics`, `/liveness`, `/readiness`, nothing else. */
export class ProbeServer implements Module {
  readonly name = "observability";
  readonly #options: ProbeServerOptions;
  readonly #server: Server;

  constructor(options: ProbeServerOptions) {
    this.#options = options;
    this.#server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
      const answer = (status: number, text: string): void =>
        void response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
      if (request.method !== "GET" && request.method !== "HEAD") return answer(405, "method not allowed\n");
      switch (request.url?.split("?")[0]) {
        case "/liveness":
          return answer(200, "alive\n");
        case "/readiness":
          return options.ready() ? answer(200, "ready\n") : answer(503, "not connected to kas\n");
        case "/metrics":
          options.registry.metrics().then(
            (text) => response.writeHead(200, { "content-type": options.registry.contentType }).end(text),
            () => answer(500, "metrics cannot be read\n"),
          );
          return;
        default:
          answer(404, "not found\n");
      }
    });
  }

  /**
   * Starts to listen; call it before `run`.
   *
   * @returns host:port really bound
   * @throws Error naming the address, for example when it is taken
   */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    try {
      this.#server.listen({ port, ...(host === "" ? {} : { host }) });
      await once(this.#server, "listening");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`observability listener on ${host}:${port}: ${reason} (change it with --observability-listen-address)`, {
        cause: error,
      });
    }
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("a TCP server has an address");
    return `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) await once(signal, "abort");
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, "close");
  }
}
