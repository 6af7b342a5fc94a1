import type { RawData, WebSocket } from "ws";

import { BrokenPipe, Pipe, type ByteSink, type ByteSource } from "./byte-streams.ts";
import type { StreamSettings } from "./upgrade.ts";

/** Channel 255 of `v5.channel.k8s.io`: its payload is the number of a channel that gets no more bytes. */
const CLOSE_CHANNEL = 255;
const MAX_CHUNK_BYTES = 32 * 1024;

/** One direction or both of one numbered channel. */
export interface Channel extends ByteSource, ByteSink {}

/** Numbered byte channels over a WebSocket: the first byte of a binary message is the channel (`channel.k8s.io`). */
export class WebSocketChannels {
  readonly #socket: WebSocket;
  readonly #incoming = new Map<number, Pipe>();
  readonly #closed = new AbortController();
  readonly #settings: StreamSettings;
  #lastMs: number;
  #cancelIdleCheck: () => void = () => undefined;
  #paused = 0;

  /** @param readable channels that the client writes to; bytes for others are dropped */
  constructor(socket: WebSocket, readable: readonly number[], settings: StreamSettings) {
    this.#socket = socket;
    this.#settings = settings;
    this.#lastMs = settings.clock.now();
    for (const channel of readable) this.#incoming.set(channel, new Pipe());
    socket.binaryType = "nodebuffer";
    socket.on("message", (data) => this.#receive(data));
    // The end that follows is what counts.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.#cancelIdleCheck();
      this.#closed.abort();
      for (const pipe of this.#incoming.values()) pipe.end();
    });
    this.#checkIdle();
  }

  /** Aborts when the WebSocket is closed. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  channel(number: number): Channel {
    return {
      read: () => this.#incoming.get(number)?.read() ?? Promise.resolve(undefined),
      write: async (chunk) => {
        const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
        for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) await this.#send(number, bytes.subarray(at, at + MAX_CHUNK_BYTES));
      },
    };
  }

  /** An empty message, which signals to the client that the streams are ready. */
  announce(number: number): Promise<void> {
    return this.#send(number, Buffer.alloc(0));
  }

  /** What still comes on a channel is dropped. */
  discard(number: number): void {
    this.#incoming.get(number)?.break();
  }

  close(): void {
    this.#socket.close(1000);
  }

  #send(number: number, bytes: Uint8Array): Promise<void> {
    this.#lastMs = this.#settings.clock.now();
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== this.#socket.OPEN) reject(new BrokenPipe());
      // Resolves once the socket took it: a slow reader slows the writer.
      else this.#socket.send(Buffer.concat([Buffer.from([number]), bytes]), (error) => (error ? reject(new BrokenPipe()) : resolve()));
    });
  }

  #receive(data: RawData): void {
    this.#lastMs = this.#settings.clock.now();
    // Set by binaryType.
    const bytes = data as Buffer;
    const number = bytes[0];
    if (number === undefined) return;
    if (number === CLOSE_CHANNEL) {
      const closed = bytes[1];
      if (closed !== undefined) this.#incoming.get(closed)?.end();
      return;
    }
    const pipe = this.#incoming.get(number);
    if (pipe === undefined) return;
    pipe.push(bytes.subarray(1));
    if (pipe.isFull) void this.#pauseFor(pipe);
  }

  async #pauseFor(pipe: Pipe): Promise<void> {
    this.#paused += 1;
    this.#socket.pause();
    await pipe.room();
    this.#paused -= 1;
    if (this.#paused === 0) this.#socket.resume();
  }

  #checkIdle(): void {
    const leftMs = this.#lastMs + this.#settings.idleMs - this.#settings.clock.now();
    if (leftMs <= 0) this.#socket.terminate();
    else this.#cancelIdleCheck = this.#settings.clock.after(leftMs, () => this.#checkIdle());
  }
}
