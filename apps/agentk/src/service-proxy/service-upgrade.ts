import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "@binnacle/rpc";

import { UpgradedSocket, type UpgradedSocketListener } from "../cluster-access/upgraded-socket.ts";
import type { ServiceExchangeOptions } from "./service-exchange.ts";

/** A request for a WebSocket: it has no body. */
export type ServiceUpgradeOptions = Omit<ServiceExchangeOptions, "method" | "body" | "contentLength">;

/** Receives what the service says. Exactly one of `end`, `refused`, `silent` and `broken`, last. */
export interface ServiceUpgradeListener extends UpgradedSocketListener {
  /** The service has answered 101: from here on bytes belong to the two ends. */
  switched(headers: IncomingHttpHeaders): void;
  /** The service has answered something else. */
  refused(code: number): void;
  silent(): void;
}

/** A WebSocket to a service. Nothing is raw before a real 101, and its connection carries nothing else (T1). */
export class ServiceUpgrade {
  readonly #listener: ServiceUpgradeListener;
  readonly #request: ClientRequest;
  readonly #clock: Clock;
  readonly #cancelSilence: () => void;
  #upgraded: UpgradedSocket | undefined;
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
      this.#onSwitched(answered, { socket, head });
    });
    this.#request.end();
  }

  /** Bytes of the client. @returns false: stop until `drained` */
  write(data: Uint8Array): boolean {
    return this.#upgraded?.write(data) ?? true;
  }

  /** The client sends no more; the service may say its last words. */
  finish(): void {
    this.#upgraded?.finish();
  }

  resume(): void {
    this.#upgraded?.resume();
  }

  /** The client has left. */
  cancel(): void {
    this.#upgraded?.cancel();
    this.#settle(() => {});
  }

  #onSwitched(headers: IncomingHttpHeaders, { socket, head }: { readonly socket: Duplex; readonly head: Buffer }): void {
    if (this.#over) return void socket.destroy();
    // From now on only the connection signals the end.
    this.#over = true;
    this.#cancelSilence();
    this.#listener.switched(headers);
    if (head.length > 0) socket.unshift(head);
    this.#upgraded = new UpgradedSocket(socket, this.#clock, this.#listener);
  }

  #settle(end: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelSilence();
    end();
    this.#request.destroy();
  }
}
