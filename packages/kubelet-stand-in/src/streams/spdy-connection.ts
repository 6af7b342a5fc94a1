import type { Duplex } from "node:stream";

import type { Clock } from "@binnacle/rpc";

import { BrokenPipe } from "./byte-streams.ts";
import { FLAG_FIN, FRAME, numbersFrame, RESET, SpdyDecoder, synReplyFrame, synStreamFrame, type SpdyFrame } from "./spdy-frames.ts";
import { HeaderCompressor, HeaderDecompressor, SpdyError, type SpdyHeaders } from "./spdy-headers.ts";
import { SpdyStream, type FrameWriter } from "./spdy-stream.ts";

/** How a connection behaves. */
export interface SpdyOptions {
  readonly clock: Clock;
  /** Bytes that arrived with the upgrade. */
  readonly head?: Buffer;
  /**
   * Called for each stream that the peer opens, before it is answered. A text refuses it (RST_STREAM), because its headers make no sense; a
   * function is called after SYN_REPLY, before which no bytes may be sent on the stream.
   */
  readonly onStream: (stream: SpdyStream) => string | (() => void);
  /** Closed after so long without a frame but PING. */
  readonly idleMs: number;
}

const MAX_STREAMS = 256;

/** One SPDY/3.1 connection over bytes that were upgraded to it. The server has even stream ids, the client odd ones. */
export class SpdyConnection implements FrameWriter {
  readonly #duplex: Duplex;
  readonly #options: SpdyOptions;
  readonly #decoder = new SpdyDecoder();
  readonly #compressor = new HeaderCompressor();
  readonly #decompressor = new HeaderDecompressor();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #replies = new Map<number, () => void>();
  readonly #closed = new AbortController();
  readonly #room: (() => void)[] = [];
  #compressing: Promise<unknown> = Promise.resolve();
  #lastPeerId = 0;
  #nextId: number;
  #lastFrameMs: number;
  #cancelIdleCheck: () => void = () => undefined;

  constructor(duplex: Duplex, role: "server" | "client", options: SpdyOptions) {
    this.#duplex = duplex;
    this.#options = options;
    this.#nextId = role === "server" ? 2 : 1;
    this.#lastFrameMs = options.clock.now();
    duplex.on("error", () => duplex.destroy());
    duplex.once("close", () => this.#onClose());
    duplex.on("drain", () => this.#wake());
    this.#checkIdle();
    void this.#run();
  }

  /** Aborts when the connection is closed. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** Opens a stream and waits for the peer's SYN_REPLY. @throws BrokenPipe */
  async open(headers: SpdyHeaders): Promise<SpdyStream> {
    const id = this.#nextId;
    this.#nextId += 2;
    const stream = this.#newStream(id, headers);
    const answered = new Promise<void>((resolve) => this.#replies.set(id, resolve));
    await this.#sendHeaders(headers, (block) => synStreamFrame(id, block));
    await answered;
    if (!this.#streams.has(id)) throw new BrokenPipe();
    return stream;
  }

  async send(...frames: readonly Uint8Array[]): Promise<void> {
    if (this.#duplex.destroyed || this.#duplex.writableEnded) throw new BrokenPipe();
    this.#lastFrameMs = this.#options.clock.now();
    let hasRoom = true;
    this.#duplex.cork();
    for (const frame of frames) hasRoom = this.#duplex.write(frame);
    this.#duplex.uncork();
    if (!hasRoom) await new Promise<void>((resolve) => this.#room.push(resolve));
    if (this.#duplex.destroyed) throw new BrokenPipe();
  }

  /** Says goodbye, sends what waits, and closes. */
  async close(): Promise<void> {
    await this.send(numbersFrame(FRAME.goAway, this.#lastPeerId, 0)).catch(() => undefined);
    this.#duplex.end();
    // A peer that never closes its side must not hold the connection.
    const cancel = this.#options.clock.after(CLOSE_MS, () => this.#duplex.destroy());
    this.signal.addEventListener("abort", cancel, { once: true });
  }

  async #run(): Promise<void> {
    try {
      if (this.#options.head !== undefined && this.#options.head.length > 0) await this.#receive(this.#options.head);
      for await (const chunk of this.#duplex) await this.#receive(chunk as Buffer);
      // The peer ended its side; it never sends frames again, and streams cannot end in order any more.
      for (const stream of this.#streams.values()) await stream.receive(Buffer.alloc(0), true);
    } catch {
      // A broken frame, a reset or the end of the process: all end the connection.
      this.#duplex.destroy();
    }
  }

  async #receive(chunk: Buffer): Promise<void> {
    for (const frame of this.#decoder.decode(chunk)) {
      if (frame.kind === "data") await this.#onData(frame);
      else await this.#onControl(frame);
    }
  }

  async #onData({ streamId, payload, isLast }: SpdyFrame & { readonly kind: "data" }): Promise<void> {
    this.#lastFrameMs = this.#options.clock.now();
    const stream = this.#streams.get(streamId);
    // Data may still be on its way for a stream that is gone; for one that never was it is an error.
    if (stream !== undefined) await stream.receive(payload, isLast);
    else if (streamId > this.#lastPeerId && streamId >= this.#nextId)
      await this.send(numbersFrame(FRAME.rstStream, streamId, RESET.invalidStream));
  }

  async #onControl({ type, flags, payload }: SpdyFrame & { readonly kind: "control" }): Promise<void> {
    if (type !== FRAME.ping) this.#lastFrameMs = this.#options.clock.now();
    switch (type) {
      case FRAME.synStream:
        return this.#onSynStream(payload, flags);
      case FRAME.synReply:
      case FRAME.headers: {
        // Decompressed in any case: the state of the compression is that of the connection.
        await this.#decompressor.decompress(payload.subarray(4));
        const id = readId(payload);
        this.#answered(id);
        if ((flags & FLAG_FIN) !== 0) await this.#streams.get(id)?.receive(Buffer.alloc(0), true);
        return;
      }
      case FRAME.rstStream: {
        const id = readId(payload);
        this.#streams.get(id)?.abort();
        this.#answered(id);
        return;
      }
      case FRAME.ping:
        if (payload.length !== 4) throw new SpdyError("broken PING");
        // The answer to a ping of ours has our parity; none is ever sent.
        if ((payload.readUInt32BE(0) & 1) !== (this.#nextId & 1)) await this.send(numbersFrame(FRAME.ping, payload.readUInt32BE(0)));
        return;
      default:
        // SETTINGS and WINDOW_UPDATE change nothing here; GOAWAY is followed by the end; unknown types are skipped.
        return;
    }
  }

  async #onSynStream(payload: Buffer, flags: number): Promise<void> {
    if (payload.length < 10) throw new SpdyError("short SYN_STREAM");
    const id = readId(payload);
    const headers = await this.#decompressor.decompress(payload.subarray(10));
    if (id <= this.#lastPeerId || (id & 1) === (this.#nextId & 1)) throw new SpdyError("stream id out of order");
    this.#lastPeerId = id;
    if (this.#streams.size >= MAX_STREAMS) return this.send(numbersFrame(FRAME.rstStream, id, RESET.refusedStream));
    const stream = this.#newStream(id, headers);
    const answered = this.#options.onStream(stream);
    if (typeof answered === "string") {
      stream.abort();
      return this.send(numbersFrame(FRAME.rstStream, id, RESET.protocolError));
    }
    await this.#sendHeaders(new Map(), (block) => synReplyFrame(id, block));
    answered();
    if ((flags & FLAG_FIN) !== 0) await stream.receive(Buffer.alloc(0), true);
  }

  #newStream(id: number, headers: SpdyHeaders): SpdyStream {
    const stream = new SpdyStream(id, headers, { writer: this, onClosed: () => this.#streams.delete(id) });
    this.#streams.set(id, stream);
    return stream;
  }

  /** Header blocks leave in the order in which they were compressed. */
  #sendHeaders(headers: SpdyHeaders, frame: (block: Buffer) => Buffer): Promise<void> {
    const sent = this.#compressing.then(async () => this.send(frame(await this.#compressor.compress(headers))));
    this.#compressing = sent.catch(() => undefined);
    return sent;
  }

  #answered(id: number): void {
    this.#replies.get(id)?.();
    this.#replies.delete(id);
  }

  #wake(): void {
    for (const resolve of this.#room.splice(0)) resolve();
  }

  #checkIdle(): void {
    const { clock, idleMs } = this.#options;
    const leftMs = this.#lastFrameMs + idleMs - clock.now();
    if (leftMs <= 0) this.#duplex.destroy();
    else this.#cancelIdleCheck = clock.after(leftMs, () => this.#checkIdle());
  }

  #onClose(): void {
    this.#cancelIdleCheck();
    this.#closed.abort();
    for (const stream of this.#streams.values()) stream.abort();
    for (const id of this.#replies.keys()) this.#answered(id);
    this.#compressor.close();
    this.#decompressor.close();
    this.#wake();
  }
}

const CLOSE_MS = 10_000;

function readId(payload: Buffer): number {
  if (payload.length < 4) throw new SpdyError("short control frame");
  return payload.readUInt32BE(0) & 0x7fffffff;
}
