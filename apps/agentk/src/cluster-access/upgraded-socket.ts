import type { Duplex } from "node:stream";

import { copyWithBudget, TurnBatch, writeInTurn } from "@binnacle/grpc-wire";
import type { Clock } from "@binnacle/rpc";

/** A side that takes nothing for so long while bytes wait for it has its connection cut (T14). */
const STALL_MS = 20_000;
/** How long the cluster's side may be silent when the client has ended its half. */
const HALF_CLOSED_MS = 30_000;

/** Largest message to kas (docs/design/tunnel.md "Bytes on the way"). */
const MESSAGE_BYTES = 64 * 1024;

/** Protocols that Kubernetes' clients change to. */
export const UPGRADE_PROTOCOLS = ["websocket", "SPDY/3.1"] as const;
export type UpgradeProtocol = (typeof UPGRADE_PROTOCOLS)[number];

/** Receives the bytes of the cluster's side. Exactly one of `end` and `broken`, last. */
export interface UpgradedSocketListener {
  /** What one turn of the event loop has brought. @returns false to be sent nothing more until `resume` */
  data(chunks: readonly Uint8Array[]): boolean;
  /** There is room for `write` again. */
  drained(): void;
  /** The cluster's side has ended. */
  end(): void;
  /** It broke, or one of the sides has stalled. */
  broken(error: Error): void;
}

/**
 * A connection after a real 101, to the Kubernetes API or to a service: bytes belong to its two ends. At most 128 KiB pass per turn of the event
 * loop, and nothing while the other side is full.
 */
export class UpgradedSocket {
  readonly #socket: Duplex;
  readonly #clock: Clock;
  readonly #listener: UpgradedSocketListener;
  readonly #toClient = new TurnBatch(MESSAGE_BYTES, (chunks) => this.#pass(chunks));
  #over = false;
  #movedMs = 0;
  #cancelWriteStall = (): void => {};
  #cancelReadStall = (): void => {};
  #cancelHalfClosed = (): void => {};
  #resumeReading = (): void => {};

  /** @param socket as it was handed over with the 101; bytes that came with that are put back into it */
  constructor(socket: Duplex, clock: Clock, listener: UpgradedSocketListener) {
    this.#socket = socket;
    this.#clock = clock;
    this.#listener = listener;
    socket.on("drain", () => {
      this.#cancelWriteStall();
      if (!this.#over) listener.drained();
    });
    socket.on("error", (error) => this.#settle(() => listener.broken(error)));
    socket.on("close", () => this.#settle(() => listener.end()));
    const sink = {
      write: (chunk: Uint8Array) => this.#toClient.write(chunk),
      onDrain: (resume: () => void) => ((this.#resumeReading = resume), () => {}),
    };
    copyWithBudget(socket, sink).then(
      () => this.#settle(() => listener.end()),
      // The handlers above have reported why.
      () => {},
    );
  }

  /** Bytes of the client. @returns false: stop until `drained` */
  write(data: Uint8Array): boolean {
    if (this.#over || writeInTurn(this.#socket, data)) return true;
    this.#cancelWriteStall();
    this.#cancelWriteStall = this.#clock.after(STALL_MS, () => this.#stalled("the cluster's side"));
    return false;
  }

  /** The client sends no more. */
  finish(): void {
    if (this.#over) return;
    this.#socket.end();
    this.#movedMs = this.#clock.now();
    this.#awaitRest();
  }

  /** The listener has room again. */
  resume(): void {
    this.#toClient.drained();
    this.#cancelReadStall();
    this.#resumeReading();
  }

  /** The client has left. */
  cancel(): void {
    this.#settle(() => {});
  }

  #pass(chunks: readonly Uint8Array[]): boolean {
    if (this.#over) return true;
    this.#movedMs = this.#clock.now();
    if (this.#listener.data(chunks)) return true;
    this.#cancelReadStall();
    this.#cancelReadStall = this.#clock.after(STALL_MS, () => this.#stalled("the client"));
    return false;
  }

  #awaitRest(): void {
    const leftMs = this.#movedMs + HALF_CLOSED_MS - this.#clock.now();
    if (leftMs <= 0) return this.#settle(() => this.#listener.end());
    this.#cancelHalfClosed = this.#clock.after(leftMs, () => this.#awaitRest());
  }

  #stalled(side: string): void {
    this.#settle(() => this.#listener.broken(new Error(`${side} has taken nothing for ${STALL_MS / 1_000} s`)));
  }

  #settle(end: () => void): void {
    if (this.#over) return;
    this.#toClient.flush();
    this.#over = true;
    this.#cancelWriteStall();
    this.#cancelReadStall();
    this.#cancelHalfClosed();
    end();
    this.#socket.destroy();
  }
}
