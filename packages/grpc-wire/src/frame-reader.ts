import { Fault } from "@binnacle/rpc";

import { FRAME_PREFIX_BYTES } from "./frame.ts";
import { beginOfBytes, type BytesPath } from "./hot-messages.ts";

/** Default limit of a message, after inflating. */
export const DEFAULT_MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** What a reader must know of its stream. */
export interface FrameReaderOptions {
  /** Limit of one message, before and after inflating; default 10 MiB. */
  readonly maxMessageBytes?: number | undefined;
}

/** One compressed gRPC message as it came. */
export interface PackedMessage {
  readonly data: Uint8Array;
  /** Limit that was in force when it began; also for what it inflates to. */
  readonly maxBytes: number;
}

/** Who takes the frames of a reader, in order. */
export interface FrameEvents {
  /** A whole message that is not compressed. One that lies inside one chunk is a view of it. */
  message(data: Uint8Array): void;
  /** A whole message that is. */
  packed(message: PackedMessage): void;
  /** The next bytes of a message that is passed on as it comes. @param path that of `cutThrough` at whose end they are */
  piece(bytes: Uint8Array, path: BytesPath): void;
}

/** Cuts a byte stream into gRPC frames. One reader belongs to one direction of one stream. */
export class FrameReader {
  readonly #events: FrameEvents;
  #maxMessageBytes: number;
  readonly #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Bytes of the frame in hand including its prefix; 0 while the prefix is incomplete. */
  #frameBytes = 0;
  #paths: readonly BytesPath[] = [];
  /** Of the message that is passed on as it comes. */
  #path: BytesPath = [];
  /** Bytes of a message that is passed on as it comes and that are still to come. */
  #cutLeft = 0;

  constructor(options: FrameReaderOptions, events: FrameEvents) {
    this.#maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    this.#events = events;
  }

  /** Bytes of a frame that is not complete. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Bounds the frames that begin from now on. */
  limit(maxMessageBytes: number): void {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /**
   * From now on the `bytes` field at the end of each path is delivered in pieces where its message comes in several chunks: not joined, not
   * copied, not held. For fields of which a sequence means the same as one.
   */
  cutThrough(paths: readonly BytesPath[]): void {
    this.#paths = paths;
  }

  /** @throws Fault `message_too_large`, `invalid_request` (an unknown flag) */
  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (this.#cutLeft > 0) rest = this.#passOn(rest);
      else if (this.#pendingBytes > 0) rest = this.#complete(rest);
      else {
        const frameBytes = rest.byteLength < FRAME_PREFIX_BYTES ? 0 : this.#frameBytesOf(rest);
        if (frameBytes > 0 && frameBytes <= rest.byteLength) {
          this.#deliver(rest, frameBytes);
          if (frameBytes === rest.byteLength) return;
          rest = rest.subarray(frameBytes);
        } else if (frameBytes > 0 && this.#begins(rest, frameBytes)) return;
        else {
          this.#frameBytes = frameBytes;
          return this.#keep(rest);
        }
      }
    }
  }

  /**
   * The stream has ended.
   *
   * @throws Fault `invalid_request` in the middle of a message
   */
  end(): void {
    if (this.#pendingBytes > 0 || this.#cutLeft > 0) throw new Fault("invalid_request", "the stream ended in the middle of a message");
  }

  /** Whether a frame that is not all there yet can be passed on as it comes; then its beginning was delivered. */
  #begins(rest: Uint8Array, frameBytes: number): boolean {
    if (rest[0] !== 0) return false;
    for (const path of this.#paths) {
      const start = beginOfBytes(path, rest, { from: FRAME_PREFIX_BYTES, end: frameBytes });
      if (start === undefined || start >= rest.byteLength) continue;
      this.#path = path;
      this.#cutLeft = frameBytes - rest.byteLength;
      this.#events.piece(rest.subarray(start), path);
      return true;
    }
    return false;
  }

  /** @returns what belongs to the next frame */
  #passOn(rest: Uint8Array): Uint8Array {
    const piece = rest.subarray(0, this.#cutLeft);
    this.#cutLeft -= piece.byteLength;
    this.#events.piece(piece, this.#path);
    return rest.subarray(piece.byteLength);
  }

  /** @returns what belongs to the next frame */
  #complete(rest: Uint8Array): Uint8Array {
    const missing = (this.#frameBytes === 0 ? FRAME_PREFIX_BYTES : this.#frameBytes) - this.#pendingBytes;
    const taken = rest.subarray(0, missing);
    this.#keep(taken);
    this.#finishPending();
    return rest.subarray(taken.byteLength);
  }

  #keep(bytes: Uint8Array): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
  }

  #finishPending(): void {
    if (this.#frameBytes === 0) {
      if (this.#pendingBytes < FRAME_PREFIX_BYTES) return;
      this.#frameBytes = this.#frameBytesOf(Buffer.concat(this.#pending));
    }
    if (this.#pendingBytes < this.#frameBytes) return;
    const frame = this.#pending.length === 1 && this.#pending[0] ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending.length = 0;
    this.#pendingBytes = 0;
    this.#frameBytes = 0;
    this.#deliver(frame, frame.byteLength);
  }

  #frameBytesOf(prefix: Uint8Array): number {
    const length = (prefix[1] ?? 0) * 0x1000000 + (((prefix[2] ?? 0) << 16) | ((prefix[3] ?? 0) << 8) | (prefix[4] ?? 0));
    if (length > this.#maxMessageBytes) {
      throw new Fault("message_too_large", `a message of ${length} bytes is larger than the limit of ${this.#maxMessageBytes}`);
    }
    return FRAME_PREFIX_BYTES + length;
  }

  /** The frame that `bytes` begin with. */
  #deliver(bytes: Uint8Array, frameBytes: number): void {
    const flag = bytes[0];
    if (flag !== 0 && flag !== 1) throw new Fault("invalid_request", `unknown gRPC frame flag ${flag}`);
    const data = bytes.subarray(FRAME_PREFIX_BYTES, frameBytes);
    if (flag === 0) this.#events.message(data);
    else this.#events.packed({ data, maxBytes: this.#maxMessageBytes });
  }
}
