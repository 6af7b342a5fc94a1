import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";

import { Fault } from "@binnacle/rpc";

import type { ByteAccount } from "./byte-ledger.ts";
import { FrameReader, type FrameEvents, type FrameReaderOptions, type PackedMessage } from "./frame-reader.ts";
import type { BytesPath } from "./hot-messages.ts";

/** What a reader must know of its stream. */
export interface MessageReaderOptions extends FrameReaderOptions {
  /** Value of the stream's `grpc-encoding`; only `gzip` and `identity` are understood. */
  readonly encoding?: string | undefined;
}

/** The stream under a reader, and who wants its messages. */
export interface MessageReaderEvents {
  /** One message; a view: copy it to keep it. */
  message(data: Uint8Array): void;
  /** The next bytes of a message that is passed on as it comes; see `cutThrough`. */
  piece(bytes: Uint8Array, path: BytesPath): void;
  /** A message that was inflated later broke a rule. */
  failed(fault: Fault): void;
  /** Nothing more can be taken now; a few more chunks are kept. */
  hold(): void;
  /** The reader can go on. */
  proceed(): void;
}

/** Something that has to wait for what came before it. */
type Waiting =
  | { readonly kind: "message"; readonly data: Uint8Array }
  | { readonly kind: "piece"; readonly data: Uint8Array; readonly path: BytesPath }
  | ({ readonly kind: "packed" } & PackedMessage);

/** More than this is inflated off the event loop: a few hundred bytes can unpack to megabytes. */
const INLINE_BYTES = 64 * 1024;

const gunzipLater = promisify(gunzip);

/** Cuts a byte stream into messages and inflates them, large ones off the event loop, in order. One reader belongs to one direction of one stream. */
export class MessageReader implements FrameEvents {
  readonly #frames: FrameReader;
  readonly #events: MessageReaderEvents;
  readonly #encoding: string;
  #account: ByteAccount | undefined;
  /** What came while a message before it is inflated. */
  #queue: Waiting[] = [];
  #inflating = false;
  #short = false;
  #closed = false;
  #charged = 0;
  #onEmpty: (() => void) | undefined;

  constructor(options: MessageReaderOptions, events: MessageReaderEvents) {
    this.#frames = new FrameReader(options, this);
    this.#events = events;
    this.#encoding = options.encoding ?? "identity";
  }

  /** Where unfinished and inflating bytes are booked from now on. */
  book(account: ByteAccount): void {
    this.#account = account;
  }

  /** Bounds the messages that begin from now on. */
  limit(maxMessageBytes: number): void {
    this.#frames.limit(maxMessageBytes);
  }

  /** See `FrameReader.cutThrough`. */
  cutThrough(paths: readonly BytesPath[]): void {
    this.#frames.cutThrough(paths);
  }

  /** @throws Fault `message_too_large`, `invalid_request` (unknown compression, broken gzip) */
  push(chunk: Uint8Array): void {
    this.#frames.push(chunk);
    if (this.#frames.pendingBytes !== this.#charged) this.#book();
  }

  /**
   * The stream has ended; `done` is called once everything before was delivered.
   *
   * @throws Fault `invalid_request` in the middle of a message
   */
  end(done: () => void): void {
    this.#frames.end();
    if (this.#inflating) this.#onEmpty = done;
    else done();
  }

  /** Stops delivery and drops what is buffered. */
  close(): void {
    this.#closed = true;
    this.#queue = [];
    this.#account?.release(this.#charged);
    this.#charged = 0;
  }

  /** Called by the frame reader only. */
  message(data: Uint8Array): void {
    if (this.#inflating) this.#queue.push({ kind: "message", data });
    else if (!this.#closed) this.#events.message(data);
  }

  /** Called by the frame reader only. */
  packed(message: PackedMessage): void {
    if (this.#inflating) this.#queue.push({ kind: "packed", ...message });
    else if (!this.#closed) this.#unpack(message);
  }

  /** Called by the frame reader only. */
  piece(bytes: Uint8Array, path: BytesPath): void {
    if (this.#inflating) this.#queue.push({ kind: "piece", data: bytes, path });
    else if (!this.#closed) this.#events.piece(bytes, path);
  }

  #deliver(item: Waiting): void {
    if (item.kind === "packed") this.#unpack(item);
    else if (item.kind === "message") this.#events.message(item.data);
    else this.#events.piece(item.data, item.path);
  }

  #unpack(item: PackedMessage): void {
    if (this.#encoding !== "gzip")
      throw new Fault("invalid_request", `a message is compressed with "${this.#encoding}", which is not supported`);
    const data = inflateNow(item.data, item.maxBytes);
    if (data === undefined) void this.#inflateLater(item);
    else this.#events.message(data);
  }

  /** Delivers what waits, up to a message that has to be inflated elsewhere. */
  #deliverQueue(): void {
    const queue = this.#queue;
    let at = 0;
    while (at < queue.length && !this.#inflating && !this.#closed) {
      const item = queue[at];
      at += 1;
      if (item !== undefined) this.#deliver(item);
    }
    // What arrived during delivery is at the end of the queue.
    this.#queue = this.#closed ? [] : queue.slice(at);
  }

  /** Never rejects. */
  async #inflateLater({ data, maxBytes }: PackedMessage): Promise<void> {
    this.#inflating = true;
    this.#events.hold();
    // What it will become is not known: the worst is booked, so that many at once are bounded.
    this.#account?.charge(maxBytes);
    try {
      const message = await inflateLater(data, maxBytes);
      if (!this.#closed) this.#events.message(message);
      this.#inflating = false;
      this.#deliverQueue();
    } catch (error) {
      if (!this.#closed)
        this.#events.failed(error instanceof Fault ? error : new Fault("internal", "reading a message failed", { cause: error }));
    } finally {
      this.#account?.release(maxBytes);
    }
    if (this.#inflating || this.#closed) return;
    this.#book();
    this.#onEmpty?.();
    if (!this.#short) this.#events.proceed();
  }

  /** Books what is unfinished now, and waits for room when there is none. */
  #book(): void {
    const pending = this.#frames.pendingBytes;
    const grown = pending - this.#charged;
    this.#charged = pending;
    if (this.#account === undefined) return;
    if (grown < 0) this.#account.release(-grown);
    if (grown <= 0 || this.#account.charge(grown) || this.#short) return;
    this.#short = true;
    this.#events.hold();
    this.#account.onRoom(() => {
      this.#short = false;
      if (!this.#inflating && !this.#closed) this.#events.proceed();
    });
  }
}

/**
 * Unpacks gzip in this turn of the event loop.
 *
 * @returns undefined when it is more than `INLINE_BYTES`, of which nothing was kept
 * @throws Fault `message_too_large`, `invalid_request`
 */
function inflateNow(packed: Uint8Array, maxBytes: number): Uint8Array | undefined {
  if (packed.byteLength > INLINE_BYTES) return undefined;
  try {
    return gunzipSync(packed, { maxOutputLength: Math.min(INLINE_BYTES, maxBytes) });
  } catch (error) {
    if (isTooLarge(error) && maxBytes > INLINE_BYTES) return undefined;
    throw faultOf(error, maxBytes);
  }
}

/** Unpacks gzip on another thread. @throws Fault `message_too_large`, `invalid_request` */
async function inflateLater(packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await gunzipLater(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    throw faultOf(error, maxBytes);
  }
}

/** zlib's `ERR_BUFFER_TOO_LARGE`. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError;
}

function faultOf(error: unknown, maxBytes: number): Fault {
  return isTooLarge(error)
    ? new Fault("message_too_large", `an inflated message is larger than the limit of ${maxBytes}`, { cause: error })
    : new Fault("invalid_request", "a compressed message cannot be inflated", { cause: error });
}
