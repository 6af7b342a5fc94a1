import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";

import type { ClusterTls } from "./cluster-access.ts";
import type { ClusterRequest, ClusterResponseListener, RunningRequest } from "./cluster-client.ts";
import { readBeforeWriteErrors } from "./read-before-write-errors.ts";

/** Where the request goes, and with what. */
export interface ExpectingRequestOptions {
  /** Base of the API server; its path is part of `target` already. */
  readonly server: URL;
  readonly tls: ClusterTls;
  /** Names and values in turn, the credential included. */
  readonly headers: readonly string[];
  readonly target: string;
  /** Says what a failure is for the listener. */
  readonly failed: (error: unknown) => unknown;
  /** The API server answered 401. */
  readonly refused: () => void;
}

/**
 * A request that sends its body only when the API server wants it (`Expect: 100-continue`), on a connection of its own: undici, which carries
 * all others, does not know it.
 */
export class ExpectingRequest implements RunningRequest {
  readonly #listener: ClusterResponseListener;
  readonly #options: ExpectingRequestOptions;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #over = false;

  constructor(request: ClusterRequest & { readonly body: Readable }, options: ExpectingRequestOptions, listener: ClusterResponseListener) {
    const { server, tls, headers, target } = options;
    const { body, contentLength, method } = request;
    this.#options = options;
    this.#listener = listener;
    const framing = contentLength === undefined ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(contentLength)];
    const make = server.protocol === "https:" ? httpsRequest : httpRequest;
    this.#request = make({
      ...tls,
      host: server.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: server.port,
      method,
      path: target,
      agent: false,
      maxHeaderSize: 64 * 1024,
      headers: ["Host", server.host, ...headers, ...framing, "Expect", "100-continue", "Connection", "close"],
    });
    this.#request.on("socket", (socket) => readBeforeWriteErrors(socket));
    this.#request.on("continue", () => this.#over || listener.continue?.());
    this.#request.on("response", (response) => this.#onResponse(response));
    this.#request.on("error", (error) => this.#settle(() => listener.error(options.failed(error))));
    this.#send(body);
  }

  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  abort(reason: Error): void {
    this.#over = true;
    this.#request.destroy(reason);
  }

  /** The head goes out at once. The body follows when it comes: a caller that was not told to send it may do so all the same. */
  #send(body: Readable): void {
    this.#request.flushHeaders();
    this.#listener.started?.();
    body.on("data", (piece: Buffer) => {
      if (!this.#request.write(piece)) body.pause();
    });
    this.#request.on("drain", () => body.resume());
    body.on("end", () => this.#request.end());
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#over) return void response.destroy();
    this.#response = response;
    if (response.statusCode === 401) this.#options.refused();
    this.#listener.header(response.statusCode ?? 0, response.statusMessage, response.headers);
    response.on("data", (chunk: Buffer) => this.#over || this.#listener.data(chunk));
    response.on("end", () => {
      this.#settle(() => this.#listener.end());
      this.#request.destroy();
    });
    response.on("error", (error) => this.#settle(() => this.#listener.error(this.#options.failed(error))));
  }

  #settle(end: () => void): void {
    if (this.#over) return;
    this.#over = true;
    end();
  }
}
