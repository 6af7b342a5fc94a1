import { Duplex } from "node:stream";

import type { RawData, WebSocket } from "ws";

/** Sub-protocol of a WebSocket that is a byte pipe for gRPC. */
export const TUNNEL_SUBPROTOCOL = "ws-tunnel";
/** Largest WebSocket message either side accepts. */
export const MAX_WEBSOCKET_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Rewrites what arrives. Throws when the connection cannot go on. */
export type InboundRewriter = { push(chunk: Uint8Array): readonly Uint8Array[] };

/** An open WebSocket as a byte pipe: binary messages, their borders without meaning, backpressure in both directions. Owns the WebSocket. */
export class WebSocketDuplex extends Duplex {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, inbound?: InboundRewriter) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (!isBinary) this.destroy(new Error("a text message arrived on a byte pipe"));
      else for (const piece of piecesOf(data)) this.#receive(piece, inbound);
    });
    socket.on("close", () => {
      this.push(null);
      this.destroy();
    });
    socket.on("error", (error) => this.destroy(error));
  }

  override _read(): void {
    if (this.#socket.isPaused) this.#socket.resume();
  }

  #receive(piece: Buffer, inbound: InboundRewriter | undefined): void {
    if (this.destroyed) return;
    try {
      for (const part of inbound?.push(piece) ?? [piece]) if (!this.push(part)) this.#socket.pause();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.send(chunk, { binary: true, compress: false }, (error) => done(error ?? null));
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.close(1000);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (error || this.#socket.readyState !== this.#socket.CLOSING) this.#socket.terminate();
    done(error);
  }
}

function piecesOf(data: RawData): readonly Buffer[] {
  if (Array.isArray(data)) return data;
  return [Buffer.isBuffer(data) ? data : Buffer.from(data)];
}
