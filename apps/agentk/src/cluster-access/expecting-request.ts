import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";

import type { ClusterTls } from "./cluster-access.ts";
import type { ClusterResponseListener, OwnConnectionRequest, RunningRequest } from "./cluster-client.ts";
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

/** Informational answers one request may get. */
const MAX_INFORMATIONAL = 8;

/**
 * A request that sends its body only when the API server wants it (`Expect: 100-continue`), or ends with trailers, on a connection of its own: undici,
 * which carries all others, knows neither.
 */
export class ExpectingRequest implements RunningRequest {
  readonly #listener: ClusterResponseListener;
  readonly #options: ExpectingRequestOptions;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #over = false;

  constructor(request: OwnConnectionRequest, options: ExpectingRequestOptions, listener: ClusterResponseListener) {
    const { server, tls, headers, target } = options;
    const { body, contentLength, method, expects, trailers } = request;
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
      headers: ["Host", server.host, ...headers, ...framing, ...(expects ? ["Expect", "100-continue"] : []), "Connection", "close"],
    });
    this.#request.on("socket", (socket) => readBeforeWriteErrors(socket));
    this.#request.on("continue", () => this.#over || listener.continue?.());
    let informational = 0;
    this.#request.on("information", ({ statusCode, headers: fields }) => {
      informational += 1;
      if (statusCode !== 100 && informational <= MAX_INFORMATIONAL && !this.#over) listener.informational?.(statusCode, fields);
    });
    this.#request.on("response", (response) => this.#onResponse(response));
    this.#request.on("error", (error) => this.#settle(() => listener.error(options.failed(error))));
    this.#send(body, trailers);
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

  /** The head goes out at once. The body follows when it comes: a caller may send it without having received a 100. */
  #send(body: Readable, trailers: OwnConnectionRequest["trailers"]): void {
    this.#request.flushHeaders();
    this.#listener.started?.();
    body.on("data", (piece: Buffer) => {
      if (!this.#request.write(piece)) body.pause();
    });
    this.#request.on("drain", () => body.resume());
    body.on("end", () => {
      const lines = Object.entries(trailers?.() ?? {}).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
      if (lines.length > 0) this.#request.addTrailers(lines);
      this.#request.end();
    });
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#over) return void response.destroy();
    this.#response = response;
    if (response.statusCode === 401) this.#options.refused();
    this.#listener.header(response.statusCode ?? 0, response.statusMessage, response.headers);
    response.on("data", (chunk: Buffer) => this.#over || this.#listener.data(chunk));
    response.on("end", () => {
      this.#settle(() => this.#listener.end(response.trailers));
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
