import { BrokenPipe, Pipe, type ByteSink, type ByteSource } from "./byte-streams.ts";
import { dataHeader, FRAME, numbersFrame, RESET } from "./spdy-frames.ts";
import type { SpdyHeaders } from "./spdy-headers.ts";

/** The connection as its streams use it. */
export interface FrameWriter {
  /** Resolves when there is room for more. @throws BrokenPipe when the connection is closed */
  send(...frames: readonly Uint8Array[]): Promise<void>;
}

const MAX_FRAME_BYTES = 32 * 1024;
/** Bytes that wait to be read before the connection is not read any further. */
const RECEIVE_BYTES = 64 * 1024;
const WINDOW_STEP_BYTES = 32 * 1024;

/**
 * One stream of a connection, in both directions. Back-pressure is that of the connection: Go's spdystream knows no windows, so the windows
 * of a peer are not waited for; they are opened as bytes are read, for peers that do wait.
 */
export class SpdyStream implements ByteSource, ByteSink {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly #writer: FrameWriter;
  readonly #incoming = new Pipe(RECEIVE_BYTES);
  readonly #onClosed: () => void;
  #unreported = 0;
  #isEnded = false;
  #hasPeerEnded = false;

  constructor(id: number, headers: SpdyHeaders, { writer, onClosed }: { readonly writer: FrameWriter; readonly onClosed: () => void }) {
    this.id = id;
    this.headers = headers;
    this.#writer = writer;
    this.#onClosed = onClosed;
  }

  async read(): Promise<Buffer | undefined> {
    const chunk = await this.#incoming.read();
    this.#unreported += chunk?.length ?? 0;
    if (this.#unreported >= WINDOW_STEP_BYTES && !this.#hasPeerEnded) {
      const bytes = this.#unreported;
      this.#unreported = 0;
      await this.#writer.send(numbersFrame(FRAME.windowUpdate, this.id, bytes)).catch(() => undefined);
    }
    return chunk;
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let at = 0; at < bytes.length; at += MAX_FRAME_BYTES) {
      if (this.#isEnded) throw new BrokenPipe();
      const piece = bytes.subarray(at, at + MAX_FRAME_BYTES);
      await this.#writer.send(dataHeader(this.id, piece.length, false), piece);
    }
  }

  /** Half-close: nothing more is written. */
  async end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.#writer.send(dataHeader(this.id, 0, true)).catch(() => undefined);
    if (this.#hasPeerEnded) this.#onClosed();
  }

  /** What still comes is dropped. */
  discard(): void {
    this.#incoming.break();
  }

  /** Ends both directions at once. */
  async reset(): Promise<void> {
    this.abort();
    await this.#writer.send(numbersFrame(FRAME.rstStream, this.id, RESET.cancel)).catch(() => undefined);
  }

  /** Takes bytes of the peer; resolves when more may be read from the connection. */
  async receive(bytes: Buffer, isLast: boolean): Promise<void> {
    if (this.#hasPeerEnded) return;
    this.#incoming.push(bytes);
    if (isLast) {
      this.#hasPeerEnded = true;
      this.#incoming.end();
      if (this.#isEnded) this.#onClosed();
    } else await this.#incoming.room();
  }

  /** The peer reset the stream, or the connection is closed. */
  abort(): void {
    this.#isEnded = true;
    this.#hasPeerEnded = true;
    this.#incoming.break();
    this.#onClosed();
  }
}
