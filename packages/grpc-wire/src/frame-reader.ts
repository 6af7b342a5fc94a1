import { Fault } from "@binnacle/rpc";

import { FRAME_PREFIX_BYTES } from "./frame.ts";

/** Largest message we accept unless told otherwise, after inflating. */
export const DEFAULT_MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** What a reader must know of its stream. */
export interface FrameReaderOptions {
  /** Limit of one message, before and after inflating; default 10 MiB. */
  readonly maxMessageBytes?: number | undefined;
}

/** One gRPC message as it came. */
export interface Frame {
  readonly compressed: boolean;
  readonly data: Uint8Array;
  /** Limit that was in force when it began; also for what it inflates to. */
  readonly maxBytes: number;
}

/** Cuts a byte stream into gRPC frames. One reader belongs to one direction of one stream. */
export class FrameReader {
  #maxMessageBytes: number;
  readonly #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Bytes of the frame in hand including its prefix; 0 while the prefix is incomplete. */
  #frameBytes = 0;

  constructor(options: FrameReaderOptions = {}) {
    this.#maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
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
   * The frames that `chunk` completes, in order. Those that lie inside one chunk are views of it.
   *
   * @throws Fault `message_too_large`, `invalid_request` (an unknown flag)
   */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let rest = chunk;
    while (rest.byteLength > 0) {
      if (this.#pendingBytes > 0) {
        const missing = (this.#frameBytes === 0 ? FRAME_PREFIX_BYTES : this.#frameBytes) - this.#pendingBytes;
        this.#keep(rest.subarray(0, missing));
        rest = rest.subarray(Math.min(missing, rest.byteLength));
        this.#finishPending(frames);
        continue;
      }
      if (rest.byteLength < FRAME_PREFIX_BYTES) {
        this.#keep(rest);
        break;
      }
      const frameBytes = this.#frameBytesOf(rest);
      if (rest.byteLength < frameBytes) {
        this.#frameBytes = frameBytes;
        this.#keep(rest);
        break;
      }
      frames.push(this.#messageOf(rest.subarray(0, frameBytes)));
      rest = rest.subarray(frameBytes);
    }
    return frames;
  }

  /**
   * The stream has ended.
   *
   * @throws Fault `invalid_request` in the middle of a message
   */
  end(): void {
    if (this.#pendingBytes > 0) throw new Fault("invalid_request", "the stream ended in the middle of a message");
  }

  #keep(bytes: Uint8Array): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
  }

  #finishPending(frames: Frame[]): void {
    if (this.#frameBytes === 0) {
      if (this.#pendingBytes < FRAME_PREFIX_BYTES) return;
      this.#frameBytes = this.#frameBytesOf(Buffer.concat(this.#pending));
    }
    if (this.#pendingBytes < this.#frameBytes) return;
    const frame = this.#pending.length === 1 && this.#pending[0] ? this.#pending[0] : Buffer.concat(this.#pending);
    this.#pending.length = 0;
    this.#pendingBytes = 0;
    this.#frameBytes = 0;
    frames.push(this.#messageOf(frame));
  }

  #frameBytesOf(prefix: Uint8Array): number {
    const length = Buffer.from(prefix.buffer, prefix.byteOffset, FRAME_PREFIX_BYTES).readUInt32BE(1);
    if (length > this.#maxMessageBytes) {
      throw new Fault("message_too_large", `a message of ${length} bytes is larger than the limit of ${this.#maxMessageBytes}`);
    }
    return FRAME_PREFIX_BYTES + length;
  }

  #messageOf(frame: Uint8Array): Frame {
    const flag = frame[0];
    if (flag !== 0 && flag !== 1) throw new Fault("invalid_request", `unknown gRPC frame flag ${flag}`);
    return { compressed: flag === 1, data: frame.subarray(FRAME_PREFIX_BYTES), maxBytes: this.#maxMessageBytes };
  }
}
