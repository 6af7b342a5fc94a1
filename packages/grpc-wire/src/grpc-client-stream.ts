import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import { constants } from "node:http2";

import { Fault } from "@binnacle/rpc";

import { encodeFrame } from "./frame.ts";
import type { ByteAccount } from "./byte-ledger.ts";
import { GRPC_CODE, readStatus, statusOfHttp, statusOfReset, statusOfThrown, type GrpcStatus } from "./grpc-status.ts";
import type { BytesPath } from "./hot-messages.ts";
import { MessageReader, type MessageReaderEvents } from "./message-reader.ts";
import { linesOfMetadata, metadataOfHeaders, metadataOfRawHeaders, NO_METADATA, type Metadata } from "./metadata.ts";
import { resetStream } from "./reset-stream.ts";
import { WriteBudget } from "./write-budget.ts";

/** Receives what the server answers. Called synchronously, never after `end`. */
export interface GrpcCallListener {
  /** Response headers. Absent from a call that failed before it was answered. */
  header?(metadata: Metadata): void;
  /** One message without its prefix; a view: copy it to keep it. After `pause` a few more may come. */
  message(data: Uint8Array): void;
  /** The next bytes of a field named by `cutThrough`, with its path; a view. */
  piece?(bytes: Uint8Array, path: BytesPath): void;
  /**
   * Exactly once, last.
   *
   * @param isCut the status is not the server's word: what carries the call has ended it. A proxy between does that to what is idle for long
   */
  end(status: GrpcStatus, trailer: Metadata, isCut: boolean): void;
}

/** The headers of one request, names and values in turn. Node keeps the list with the stream, and changes nothing in it. */
interface RequestLines {
  readonly path: string;
  readonly metadata: Metadata;
  readonly lines: readonly string[];
}

/** Thousands of tunnels are opened with the same metadata, one after the other. */
let latest: RequestLines | undefined;

function requestLines(path: string, metadata: Metadata): readonly string[] {
  if (latest?.metadata !== metadata || latest.path !== path) {
    const own = [":method", "POST", ":path", path, "content-type", "application/grpc+proto"];
    const lines = [...own, "te", "trailers", "grpc-accept-encoding", "identity,gzip", ...linesOfMetadata(metadata)];
    latest = { path, metadata, lines };
  }
  return latest.lines;
}

/**
 * Starts a gRPC call on a session: the raw stream, for those who look at frames themselves. Never throws for a dead session: the stream errs.
 *
 * @param metadata not changed afterwards: of equal objects the headers are made once
 */
export function openGrpcStream(session: ClientHttp2Session, path: string, metadata: Metadata): ClientHttp2Stream {
  return session.request(requestLines(path, metadata), { endStream: false });
}

/** What a call needs. */
export interface GrpcCallOptions {
  readonly session: ClientHttp2Session;
  /** Full method, "/service/Method". */
  readonly path: string;
  readonly metadata: Metadata;
  /** Limit of one message, before and after inflating; default 10 MiB. */
  readonly maxMessageBytes?: number;
  /** Where bytes that wait in this process for this call are booked; closed with it. Default: nowhere. */
  readonly account?: ByteAccount;
}

/** What proxies answer for a server that was silent for too long; no gRPC server does. */
const CARRIER_STATUSES: ReadonlySet<number> = new Set([408, 504]);
/** What they reset such a stream with. */
const CARRIER_RESETS: ReadonlySet<number> = new Set([constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL]);

/** A running gRPC call over raw HTTP/2. Every method is safe after the end (and then does nothing). */
export class GrpcClientStream implements MessageReaderEvents {
  readonly #stream: ClientHttp2Stream | undefined;
  readonly #listener: GrpcCallListener;
  readonly #options: GrpcCallOptions;
  readonly #writes: WriteBudget | undefined;
  #reader: MessageReader | undefined;
  #cut: readonly BytesPath[] = [];
  #status: GrpcStatus | undefined;
  #trailer: Metadata = NO_METADATA;
  #ended = false;
  #isCut = false;
  #paused = false;
  #held = false;

  constructor(options: GrpcCallOptions, listener: GrpcCallListener) {
    this.#listener = listener;
    this.#options = options;
    this.#stream = this.#open();
    this.#writes = this.#stream && new WriteBudget(this.#stream);
    if (options.account) this.#writes?.book(options.account);
    // While it is not read, up to its window comes in without an event.
    options.account?.probe(() => this.#stream?.readableLength ?? 0);
    this.#stream?.on("response", (headers, flags, raw) => this.#onResponse(headers, { flags, raw }));
    this.#stream?.on("trailers", (headers, _flags, raw) => this.#onStatus(headers, raw));
    this.#stream?.on("end", () => this.#onEnd());
    this.#stream?.on("error", (error) => (this.#status ??= { code: GRPC_CODE.unavailable, message: error.message }));
    this.#stream?.on("close", () => {
      const rstCode = this.#stream?.rstCode ?? constants.NGHTTP2_CANCEL;
      if (this.#status === undefined) this.#isCut = CARRIER_RESETS.has(rstCode);
      this.#finish(this.#status ?? statusOfReset(rstCode));
    });
  }

  /** True once `end` was called on the listener. */
  get ended(): boolean {
    return this.#ended;
  }

  /** From now on the field at the end of each path is delivered in pieces where its message comes in several chunks. */
  cutThrough(paths: readonly BytesPath[]): void {
    this.#cut = paths;
    this.#reader?.cutThrough(paths);
  }

  /** Sends one message given in pieces (they are not joined). False: stop until `onDrain` fires. */
  write(pieces: readonly Uint8Array[]): boolean {
    return this.writeFrame(encodeFrame(pieces));
  }

  /** Sends pieces that already begin with gRPC's prefix (`wrapFrame`). */
  writeFrame(pieces: readonly Uint8Array[]): boolean {
    const stream = this.#stream;
    if (!stream || this.#ended || stream.destroyed || stream.writableEnded) return true;
    return this.#writes?.write(pieces) ?? true;
  }

  /** Called each time there is room again after a write returned false. */
  onDrain(resume: () => void): void {
    this.#writes?.onDrain(resume);
  }

  /** No more messages. */
  closeSend(): void {
    if (!this.#stream || this.#stream.destroyed || this.#stream.writableEnded) return;
    this.#writes?.flush();
    this.#stream.end();
  }

  /** Stops the flow of messages; what the server sends meanwhile waits in the HTTP/2 window. */
  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#reader && !this.#held) this.#stream?.resume();
  }

  /** Gives the call up: the server sees a cancellation, the listener ends with `cancelled`. */
  cancel(): void {
    if (this.#ended) return;
    this.#status ??= { code: GRPC_CODE.cancelled, message: "the call was given up" };
    if (this.#stream) resetStream(this.#stream, constants.NGHTTP2_CANCEL);
    this.#finish(this.#status);
  }

  #open(): ClientHttp2Stream | undefined {
    try {
      return openGrpcStream(this.#options.session, this.#options.path, this.#options.metadata);
    } catch (error) {
      const message = error instanceof Error ? error.message : "the session is closed";
      process.nextTick(() => this.#finish({ code: GRPC_CODE.unavailable, message }));
      return undefined;
    }
  }

  #onResponse(headers: IncomingHttpHeaders, extra: { flags: number; raw: string[] | undefined }): void {
    if (this.#ended) return;
    const httpStatus = Number(headers[":status"]);
    if (httpStatus !== 200) {
      this.#status = statusOfHttp(httpStatus);
      this.#isCut = CARRIER_STATUSES.has(httpStatus);
      return this.#abort(constants.NGHTTP2_CANCEL);
    }
    if ((extra.flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      this.#onStatus(headers, extra.raw);
      // An empty body is not read, and without a reader its end would not be seen.
      this.#stream?.resume();
      return;
    }
    const encoding = headers["grpc-encoding"];
    const { maxMessageBytes, account } = this.#options;
    this.#reader = new MessageReader({ encoding: typeof encoding === "string" ? encoding : undefined, maxMessageBytes }, this);
    if (account) this.#reader.book(account);
    this.#reader.cutThrough(this.#cut);
    // Not before: over a WebSocket Node delivers bytes ahead of the event with their headers.
    this.#stream?.on("data", (chunk: Buffer) => this.#onData(chunk));
    if (!this.#paused) this.#stream?.resume();
    this.#listener.header?.(extra.raw ? metadataOfRawHeaders(extra.raw) : metadataOfHeaders(headers));
  }

  /** Called by the reader only, like the next four. */
  message(data: Uint8Array): void {
    if (!this.#ended) this.#listener.message(data);
  }

  piece(bytes: Uint8Array, path: BytesPath): void {
    if (!this.#ended) this.#listener.piece?.(bytes, path);
  }

  failed(fault: Fault): void {
    this.#broken(fault);
  }

  hold(): void {
    this.#held = true;
    if (!this.#ended) this.#stream?.pause();
    else if (!this.#paused) this.#stream?.resume();
  }

  proceed(): void {
    this.#held = false;
    if (!this.#paused) this.#stream?.resume();
  }

  #onData(chunk: Buffer): void {
    if (this.#ended) return;
    try {
      this.#reader?.push(chunk);
    } catch (error) {
      this.#thrown(error);
    }
  }

  #onStatus(headers: IncomingHttpHeaders, raw: string[] | undefined): void {
    this.#status ??= readStatus(headers) ?? { code: GRPC_CODE.internal, message: "the server sent no grpc-status" };
    this.#trailer = raw ? metadataOfRawHeaders(raw) : metadataOfHeaders(headers);
  }

  #onEnd(): void {
    try {
      if (this.#reader && this.#status?.code === GRPC_CODE.ok) this.#reader.end(() => this.#onCompleteEnd());
      else this.#onCompleteEnd();
    } catch (error) {
      this.#thrown(error);
    }
  }

  /** Everything that came was delivered. */
  #onCompleteEnd(): void {
    // The server has responded; what is still to be sent will not be read.
    this.closeSend();
    if (this.#status) return this.#finish(this.#status);
    // Reset streams say why in `close`, which Node holds back while writes are pending: destroying lets it come.
    if (this.#stream?.closed === false) {
      this.#status = { code: GRPC_CODE.internal, message: "the server ended the call without a status" };
      this.#isCut = true;
    }
    this.#stream?.destroy();
  }

  /** A message that breaks a rule ends the call, not the process. Errors of the listener that are not faults are bugs and rise. */
  #thrown(error: unknown): void {
    if (!(error instanceof Fault)) throw error;
    this.#broken(error);
  }

  #broken(fault: Fault): void {
    this.#status = statusOfThrown(fault);
    this.#abort(constants.NGHTTP2_CANCEL);
  }

  #abort(rstCode: number): void {
    if (this.#stream) resetStream(this.#stream, rstCode);
    if (this.#status) this.#finish(this.#status);
  }

  #finish(status: GrpcStatus): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader?.close();
    this.#options.account?.close();
    // Bytes that still arrive must not hold the window of the session.
    this.#stream?.resume();
    this.#listener.end(status, this.#trailer, this.#isCut);
  }
}
