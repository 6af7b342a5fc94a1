import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "@binnacle/rpc";

import type { ServiceExchangeOptions } from "./service-exchange.ts";

/** A request for a WebSocket: it has no body. */
export type ServiceUpgradeOptions = Omit<ServiceExchangeOptions, "method" | "body" | "contentLength">;

/** How long a service may go on when its client has ended. */
const LINGER_MS = 5_000;

/** Receives what the service says. Exactly one of `end`, `refused`, `silent` and `broken`, last. */
export interface ServiceUpgradeListener {
  /** The service has answered 101: from here on bytes belong to the two ends. */
  switched(headers: IncomingHttpHeaders): void;
  /** @returns false to be sent nothing more until `resume` */
  data(chunk: Buffer): boolean;
  /** There is room for `write` again. */
  drained(): void;
  end(): void;
  /** The service has answered something else. */
  refused(code: number): void;
  silent(): void;
  broken(error: Error): void;
}

/** A WebSocket to a service. Nothing is raw before a real 101, and its connection carries nothing else (T1). */
export class ServiceUpgrade {
  readonly #listener: ServiceUpgradeListener;
  readonly #request: ClientRequest;
  readonly #clock: Clock;
  #cancelSilence: () => void;
  #socket: Duplex | undefined;
  #over = false;

  constructor(options: ServiceUpgradeOptions, listener: ServiceUpgradeListener) {
    const { connection, target, headers, clock, answerWithinMs } = options;
    this.#listener = listener;
    this.#clock = clock;
    this.#request = httpRequest({
      createConnection: () => connection.socket,
      method: "GET",
      path: target,
      headers: [...headers, "Connection", "Upgrade", "Upgrade", "websocket"],
      maxHeaderSize: 64 * 1024,
    });
    this.#cancelSilence = clock.after(answerWithinMs, () => this.#settle(() => listener.silent()));
    this.#request.on("error", (error) => this.#settle(() => listener.broken(error)));
    this.#request.on("response", ({ statusCode = 0 }) => this.#settle(() => listener.refused(statusCode)));
    this.#request.on("upgrade", ({ headers: answered }, socket, head) => {
      if (answered.upgrade?.toLowerCase() !== "websocket")
        return this.#settle(() => listener.broken(new Error("the service changed to another protocol")));
      this.#cancelSilence();
      this.#onSwitched(answered, { socket, head });
    });
    this.#request.end();
  }

  /** Bytes of the client. @returns false: stop until `drained` */
  write(data: Uint8Array): boolean {
    return this.#over || this.#socket === undefined || this.#socket.write(data);
  }

  /** The client sends no more; the service has a moment to say its last words. */
  finish(): void {
    this.#socket?.end();
    this.#cancelSilence = this.#clock.after(LINGER_MS, () => this.#settle(() => this.#listener.end()));
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** The client has left. */
  cancel(): void {
    this.#settle(() => {});
  }

  #onSwitched(headers: IncomingHttpHeaders, { socket, head }: { readonly socket: Duplex; readonly head: Buffer }): void {
    if (this.#over) return void socket.destroy();
    this.#socket = socket;
    this.#listener.switched(headers);
    const pass = (chunk: Buffer): void => {
      if (!this.#over && !this.#listener.data(chunk)) socket.pause();
    };
    if (head.length > 0) pass(head);
    socket.on("data", pass);
    socket.on("drain", () => this.#listener.drained());
    socket.on("error", (error) => this.#settle(() => this.#listener.broken(error)));
    socket.on("end", () => this.#settle(() => this.#listener.end()));
    socket.on("close", () => this.#settle(() => this.#listener.end()));
  }

  #settle(end: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelSilence();
    end();
    this.#socket?.destroy();
    this.#request.destroy();
  }
}
