import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

import type { Clock } from "@binnacle/rpc";

import type { ServiceConnection } from "./service-connection.ts";

/** One request over one connection. */
export interface ServiceExchangeOptions {
  readonly connection: ServiceConnection;
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  /** Names and values in turn, Host included. */
  readonly headers: readonly string[];
  /** Absent: there is none. */
  readonly body?: Readable | undefined;
  /** The service says first whether it wants the body (`Expect: 100-continue`). Default: no. */
  readonly asksFirst?: boolean;
  /** Length of the body, when it is known: it is then held to it. */
  readonly contentLength?: number | undefined;
  readonly answerWithinMs: number;
  readonly clock: Clock;
}

/** Receives the answer. Called synchronously; exactly one of `end`, `silent` and `broken`, last. */
export interface ServiceExchangeListener {
  /** The service has sent a 100; only for requests that wait for it. */
  continue?(): void;
  header(code: number, headers: IncomingHttpHeaders, text: string | undefined): void;
  /** @returns false to be sent nothing more until `resume` */
  data(chunk: Buffer): boolean;
  end(): void;
  /** The service has not begun to answer in time. */
  silent(): void;
  /** The connection broke, or what came over it is no HTTP. */
  broken(error: Error): void;
}

/** A running exchange with a service. */
export class ServiceExchange {
  readonly #listener: ServiceExchangeListener;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  readonly #awaitAnswer: () => void;
  #cancelSilence = (): void => {};
  #over = false;

  constructor(options: ServiceExchangeOptions, listener: ServiceExchangeListener) {
    const { connection, method, target, headers, body, contentLength, asksFirst = false } = options;
    this.#listener = listener;
    // The length is always stated or the body chunked: uncounted bytes could pass for a second request that bypasses the rules.
    const framing =
      body === undefined ? [] : contentLength === undefined ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(contentLength)];
    this.#request = httpRequest({
      createConnection: () => connection.socket,
      method,
      path: target,
      headers: [...headers, ...framing, ...(asksFirst ? ["Expect", "100-continue"] : []), "Connection", "close"],
      maxHeaderSize: 64 * 1024,
    });
    this.#request.on("error", (error) => this.#settle(() => listener.broken(error)));
    this.#request.on("response", (response) => this.#onResponse(response));
    // The connection of a service that changes protocols without a request for that is closed.
    this.#request.on("upgrade", (_response, socket) => {
      socket.destroy();
      this.#settle(() => listener.broken(new Error("the service changed protocols unasked")));
    });
    this.#awaitAnswer = () => {
      this.#cancelSilence();
      if (this.#over || this.#response !== undefined) return;
      this.#cancelSilence = options.clock.after(options.answerWithinMs, () => {
        this.#settle(() => listener.silent());
        this.#request.destroy();
      });
    };
    if (body === undefined) {
      this.#request.end();
      this.#awaitAnswer();
    } else {
      if (asksFirst) this.#ask();
      this.#send(body);
    }
  }

  /** The answer flows on. */
  resume(): void {
    this.#response?.resume();
  }

  /** Discards the rest of the response. */
  cancel(): void {
    this.#settle(() => {});
    this.#request.destroy();
  }

  /** The head goes out at once; it is for the service to say something. */
  #ask(): void {
    this.#request.on("continue", () => {
      this.#cancelSilence();
      if (!this.#over) this.#listener.continue?.();
    });
    this.#request.flushHeaders();
    this.#awaitAnswer();
  }

  /** The timeout of the service runs while it does not read the body, and when it has all of it; not while the client sends. */
  #send(body: Readable): void {
    body.on("data", (piece: Buffer) => {
      this.#cancelSilence();
      if (this.#over || this.#request.write(piece)) return;
      body.pause();
      this.#awaitAnswer();
    });
    this.#request.on("drain", () => {
      this.#cancelSilence();
      body.resume();
    });
    body.on("end", () => {
      this.#request.end();
      this.#awaitAnswer();
    });
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#over) return void response.destroy();
    this.#response = response;
    this.#cancelSilence();
    this.#listener.header(response.statusCode ?? 0, response.headers, response.statusMessage);
    response.on("data", (chunk: Buffer) => {
      if (!this.#over && !this.#listener.data(chunk)) response.pause();
    });
    response.on("end", () => this.#settle(() => this.#listener.end()));
    response.on("error", (error) => this.#settle(() => this.#listener.broken(error)));
  }

  #settle(end: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelSilence();
    end();
  }
}
