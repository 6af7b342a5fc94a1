import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

import { Fault } from "@binnacle/rpc";

import { encodeFrame } from "./frame.ts";
import { FrameReader, type FrameReaderOptions } from "./frame-reader.ts";
import { statusOfThrown, statusTrailers, trailersOnlyHeaders, type GrpcStatus } from "./grpc-status.ts";
import { headersOfMetadata, NO_METADATA, type Metadata } from "./metadata.ts";
import { writePieces } from "./write-budget.ts";

/** Receives what the client sends. Called synchronously; nothing after `halfClose`, nothing but `closed` after our `end`. */
export interface GrpcRequestListener {
  /** One message without its prefix; a view: copy it to keep it. After `pause` a few more may come. */
  message(data: Uint8Array): void;
  /** The client sends no more messages. */
  halfClose?(): void;
  /** Exactly once: the stream is gone. `cancelled` when the client reset it, or its connection died, before we had ended it. */
  closed?(cancelled: boolean): void;
}

/** The server's side of a gRPC call over raw HTTP/2. Every method is safe after the end (and then does nothing). */
export class GrpcServerStream {
  readonly #stream: ServerHttp2Stream;
  readonly #listener: GrpcRequestListener;
  readonly #reader: FrameReader;
  #ended = false;
  #closed = false;
  #halfClosed = false;

  /** @param request the stream with the headers it came with (its `grpc-encoding` is honoured) */
  constructor(
    request: { readonly stream: ServerHttp2Stream; readonly headers: IncomingHttpHeaders } & FrameReaderOptions,
    listener: GrpcRequestListener,
  ) {
    const encoding = request.headers["grpc-encoding"];
    this.#stream = request.stream;
    this.#listener = listener;
    this.#reader = new FrameReader({
      encoding: typeof encoding === "string" ? encoding : undefined,
      ...(request.maxMessageBytes === undefined ? {} : { maxMessageBytes: request.maxMessageBytes }),
    });
    this.#stream.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.#stream.on("end", () => this.#onEnd());
    // Without a listener an error would end the process; `close` follows it.
    this.#stream.on("error", () => {});
    this.#stream.on("close", () => this.#onClose());
    if (this.#stream.destroyed) process.nextTick(() => this.#onClose());
  }

  /** True once `end` was called or the stream is gone. */
  get ended(): boolean {
    return this.#ended || this.#closed;
  }

  /** Sends the response headers at once; the first write does it otherwise. */
  sendHeader(metadata: Metadata = NO_METADATA): void {
    if (this.ended || this.#stream.headersSent || this.#stream.destroyed) return;
    this.#stream.respond(
      { ":status": 200, "content-type": "application/grpc+proto", ...headersOfMetadata(metadata) },
      { waitForTrailers: true },
    );
  }

  /** Sends one message given in pieces (they are not joined). False: stop until `onDrain` fires. */
  write(pieces: readonly Uint8Array[]): boolean {
    return this.writeFrame(encodeFrame(pieces));
  }

  /** Sends pieces that already begin with gRPC's prefix (`wrapFrame`). */
  writeFrame(pieces: readonly Uint8Array[]): boolean {
    if (this.ended || this.#stream.destroyed) return true;
    this.sendHeader();
    return writePieces(this.#stream, pieces);
  }

  /** Called each time there is room again after a write returned false. */
  onDrain(resume: () => void): void {
    this.#stream.on("drain", resume);
  }

  /** Stops the flow of messages; what the client sends meanwhile waits in the HTTP/2 window. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends the call: trailers, or a trailers-only answer when nothing was sent yet. Whatever the client still sends is not read. */
  end(status: GrpcStatus, trailer: Metadata = NO_METADATA): void {
    if (this.ended || this.#stream.destroyed) return;
    this.#ended = true;
    const stream = this.#stream;
    if (stream.headersSent) {
      stream.once("wantTrailers", () => {
        stream.sendTrailers(statusTrailers(status, trailer));
        setImmediate(() => this.#release());
      });
      stream.end();
    } else {
      stream.respond(trailersOnlyHeaders(status, trailer), { endStream: true });
      setImmediate(() => this.#release());
    }
    // A paused stream would never see the end of its readable side and stay for ever.
    stream.resume();
  }

  /** Breaks the stream off with an HTTP/2 reset. */
  reset(rstCode: number = constants.NGHTTP2_CANCEL): void {
    this.#ended = true;
    if (!this.#stream.destroyed) this.#stream.close(rstCode);
  }

  /** Tells a client that is still sending to stop; after the trailers, or it would not see them. */
  #release(): void {
    if (!this.#stream.destroyed && !this.#stream.closed && !this.#halfClosed) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #onData(chunk: Buffer): void {
    if (this.ended) return;
    this.#guard(() => {
      for (const message of this.#reader.push(chunk)) if (!this.ended) this.#listener.message(message);
    });
  }

  #onEnd(): void {
    if (this.#halfClosed) return;
    this.#halfClosed = true;
    if (this.ended || this.#stream.aborted) return;
    this.#guard(() => {
      this.#reader.end();
      this.#listener.halfClose?.();
    });
  }

  #onClose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener.closed?.(!this.#ended);
  }

  /** A message that breaks a rule ends this call with its status, not the process. Other errors of the listener are bugs and rise. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.end(statusOfThrown(error));
    }
  }
}
