import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";

import { Fault } from "@binnacle/rpc";

import { AnswerStream } from "./answer-stream.ts";
import { encodeFrame } from "./frame.ts";
import type { ByteAccount } from "./byte-ledger.ts";
import type { BytesPath } from "./hot-messages.ts";
import { statusOfThrown, statusTrailers, trailersOnlyHeaders, type GrpcStatus } from "./grpc-status.ts";
import { MessageReader, type MessageReaderEvents } from "./message-reader.ts";
import { linesOfMetadata, NO_METADATA, type Metadata } from "./metadata.ts";

/** Receives what the client sends. Called synchronously; nothing after `halfClose`, nothing but `closed` after our `end`. */
export interface GrpcRequestListener {
  /** One message without its prefix; a view: copy it to keep it. After `pause` a few more may come. */
  message(data: Uint8Array): void;
  /** After `cutThrough`: the next bytes of a message that is passed on as it comes, with the path of their field; a view. */
  piece?(bytes: Uint8Array, path: BytesPath): void;
  /** The client sends no more messages. */
  halfClose?(): void;
  /** Exactly once: the stream is gone. `cancelled` when the client reset it, or its connection died, before we had ended it. */
  closed?(cancelled: boolean): void;
}

/** An HTTP/2 stream that opens a call. */
export interface GrpcServerRequest {
  readonly stream: ServerHttp2Stream;
  /** Its `grpc-encoding` is honoured. */
  readonly headers: IncomingHttpHeaders;
  /** Limit of one message, before and after inflating; default 10 MiB. */
  readonly maxMessageBytes?: number;
}

const RESPOND_OPTIONS = { waitForTrailers: true } as const;
const NOTHING = (): void => {};
/** Those of the metadata that was sent last: the tunnels of all agents are opened with the same. */
let headerLines: { readonly of: Metadata; readonly lines: readonly string[] } | undefined;

function headerLinesOf(metadata: Metadata): readonly string[] {
  if (headerLines?.of !== metadata)
    headerLines = { of: metadata, lines: [":status", "200", "content-type", "application/grpc+proto", ...linesOfMetadata(metadata)] };
  return headerLines.lines;
}

const NO_LISTENER: GrpcRequestListener = { message: () => undefined };

/** The server's side of a gRPC call over raw HTTP/2. Every method is safe after the end (and then does nothing). */
export class GrpcServerStream implements MessageReaderEvents {
  readonly #stream: ServerHttp2Stream;
  readonly #answer: AnswerStream;
  #listener: GrpcRequestListener;
  readonly #reader: MessageReader;
  #account: ByteAccount | undefined;
  #paused = false;
  #held = false;
  #ended = false;
  #closed = false;
  #halfClosed = false;

  constructor({ stream, headers, maxMessageBytes }: GrpcServerRequest, listener: GrpcRequestListener) {
    const encoding = headers["grpc-encoding"];
    this.#stream = stream;
    this.#answer = new AnswerStream(stream);
    this.#listener = listener;
    this.#reader = new MessageReader({ encoding: typeof encoding === "string" ? encoding : undefined, maxMessageBytes }, this);
    this.#stream.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.#stream.on("end", () => this.#onEnd());
    // Without a listener an error would end the process; `close` follows it.
    this.#stream.on("error", NOTHING);
    this.#stream.on("close", () => this.#onClose());
    // A paused stream that the client reset with NO_ERROR would wait for its reader and never close.
    this.#stream.on("aborted", () => this.#stream.resume());
    if (this.#stream.destroyed) process.nextTick(() => this.#onClose());
  }

  /** From now on what waits in this process for this stream is booked on the account; it is closed with the stream. */
  book(account: ByteAccount): void {
    if (this.#closed) return account.close();
    this.#reader.book(account);
    this.#answer.book(account);
    // While it is not read, up to its window comes in without an event.
    account.probe(() => this.#stream.readableLength);
    this.#account = account;
  }

  /** Bounds the messages that begin from now on. */
  limitMessages(maxMessageBytes: number): void {
    this.#reader.limit(maxMessageBytes);
  }

  /** From now on the field at the end of each path is delivered in pieces where its message comes in several chunks. */
  cutThrough(paths: readonly BytesPath[]): void {
    this.#reader.cutThrough(paths);
  }

  /** True once `end` was called or the stream is gone. */
  get ended(): boolean {
    return this.#ended || this.#closed || this.#answer.gone;
  }

  /** Sends the response headers at once; the first write does it otherwise. */
  sendHeader(metadata: Metadata = NO_METADATA): void {
    if (this.ended || this.#answer.headersSent) return;
    // A list of its own: Node adds to it.
    this.#answer.respond(headerLinesOf(metadata).slice(), RESPOND_OPTIONS);
  }

  /** Sends one message given in pieces (they are not joined). False: stop until `onDrain` fires. */
  write(pieces: readonly Uint8Array[]): boolean {
    return this.writeFrame(encodeFrame(pieces));
  }

  /** Sends pieces that already begin with gRPC's prefix (`wrapFrame`). */
  writeFrame(pieces: readonly Uint8Array[]): boolean {
    if (this.ended) return true;
    this.sendHeader();
    return this.#answer.write(pieces);
  }

  /** Called each time there is room again after a write returned false. */
  onDrain(resume: () => void): void {
    this.#answer.onDrain(resume);
  }

  /** Stops the flow of messages; what the client sends meanwhile waits in the HTTP/2 window. */
  pause(): void {
    this.#paused = true;
    if (!this.#answer.gone) this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    if (!this.#held || this.ended) this.#stream.resume();
  }

  /** Ends the call: trailers, or a trailers-only answer when nothing was sent yet. Whatever the client still sends is not read. */
  end(status: GrpcStatus, trailer: Metadata = NO_METADATA): void {
    if (this.ended) return;
    this.#ended = true;
    if (this.#answer.headersSent) {
      // Node asks once; `once` would make a wrapper for each call.
      this.#stream.on("wantTrailers", () => {
        this.#answer.sendTrailers(statusTrailers(status, trailer));
        if (!this.#halfClosed) setImmediate(() => this.#release());
      });
      this.#answer.end();
    } else {
      this.#answer.respond(trailersOnlyHeaders(status, trailer), { endStream: true });
      setImmediate(() => this.#release());
    }
    // A paused stream would never see the end of its readable side and stay for ever.
    this.#stream.resume();
  }

  /** Breaks the stream off with an HTTP/2 reset. */
  reset(rstCode: number = constants.NGHTTP2_CANCEL): void {
    this.#ended = true;
    this.#answer.reset(rstCode);
  }

  /** Stops a client that is still sending; after the trailers, or it would not see them. */
  #release(): void {
    if (!this.#halfClosed) this.#answer.reset(constants.NGHTTP2_NO_ERROR);
  }

  /** Called by the reader only, like the next four. */
  message(data: Uint8Array): void {
    if (!this.ended) this.#listener.message(data);
  }

  piece(bytes: Uint8Array, path: BytesPath): void {
    if (!this.ended) this.#listener.piece?.(bytes, path);
  }

  failed(fault: Fault): void {
    this.end(statusOfThrown(fault));
  }

  hold(): void {
    this.#held = true;
    if (!this.ended) this.#stream.pause();
    else if (!this.#paused) this.#stream.resume();
  }

  proceed(): void {
    this.#held = false;
    if (!this.#paused) this.#stream.resume();
  }

  #onData(chunk: Buffer): void {
    // What lay here when the client broke off is not read.
    if (this.ended) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#broken(error);
    }
  }

  #onEnd(): void {
    if (this.#halfClosed) return;
    this.#halfClosed = true;
    if (this.ended || this.#stream.aborted) return;
    try {
      this.#reader.end(() => this.ended || this.#listener.halfClose?.());
    } catch (error) {
      this.#broken(error);
    }
  }

  #onClose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reader.close();
    this.#account?.close();
    const listener = this.#listener;
    // The HTTP/2 session may hold the stream for a while yet, and all that hangs on it.
    this.#listener = NO_LISTENER;
    listener.closed?.(!this.#ended);
  }

  /** A message that breaks a rule ends this call with its status, not the process. Other errors of the listener are bugs and rise. */
  #broken(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    this.end(statusOfThrown(error));
  }
}
