import { SpdyError } from "./spdy-headers.ts";

/** Types of control frames, SPDY/3.1 section 2.6. */
export const FRAME = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7, headers: 8, windowUpdate: 9 } as const;

/** Flag of the last frame that one side sends on a stream. */
export const FLAG_FIN = 1;

/** Reasons in RST_STREAM. */
export const RESET = { protocolError: 1, invalidStream: 2, refusedStream: 3, cancel: 5 } as const;

/** What a decoder gives: a whole control frame, or a piece of a data frame. */
export type SpdyFrame =
  | { readonly kind: "control"; readonly type: number; readonly flags: number; readonly payload: Buffer }
  | { readonly kind: "data"; readonly streamId: number; readonly isLast: boolean; readonly payload: Buffer };

const HEADER_BYTES = 8;
const VERSION = 3;
/** Larger than any compressed header block or SETTINGS of a peer that means well. */
const MAX_CONTROL_BYTES = 64 * 1024;

/** Splits a byte stream into frames. A data frame is passed on piece by piece, so that its length (16 MiB at most) costs no memory. */
export class SpdyDecoder {
  #rest: Buffer = Buffer.alloc(0);
  #data: { readonly streamId: number; readonly fin: boolean; left: number } | undefined;

  /** @throws SpdyError */
  *decode(chunk: Buffer): Generator<SpdyFrame> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      if (this.#data !== undefined) {
        const { streamId, fin, left } = this.#data;
        const payload = bytes.subarray(0, left);
        bytes = bytes.subarray(payload.length);
        this.#data.left -= payload.length;
        const isComplete = this.#data.left === 0;
        if (isComplete) this.#data = undefined;
        if (payload.length > 0 || isComplete) yield { kind: "data", streamId, isLast: isComplete && fin, payload };
        if (!isComplete) break;
        continue;
      }
      if (bytes.length < HEADER_BYTES) break;
      const first = bytes.readUInt32BE(0);
      const flags = bytes.readUInt8(4);
      const length = bytes.readUIntBE(5, 3);
      if (first >>> 31 === 0) {
        bytes = bytes.subarray(HEADER_BYTES);
        this.#data = { streamId: first, fin: (flags & FLAG_FIN) !== 0, left: length };
        continue;
      }
      if (((first >>> 16) & 0x7fff) !== VERSION) throw new SpdyError("not SPDY version 3");
      if (length > MAX_CONTROL_BYTES) throw new SpdyError("control frame too large");
      if (bytes.length < HEADER_BYTES + length) break;
      yield { kind: "control", type: first & 0xffff, flags, payload: bytes.subarray(HEADER_BYTES, HEADER_BYTES + length) };
      bytes = bytes.subarray(HEADER_BYTES + length);
    }
    // A copy, so that a large chunk is not kept alive by its last bytes.
    this.#rest = Buffer.from(bytes);
  }
}

/** A control frame. */
export function controlFrame(type: number, flags: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE((0x80000000 | (VERSION << 16) | type) >>> 0, 0);
  header.writeUInt8(flags, 4);
  header.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([header, payload]);
}

/** A control frame of 32-bit numbers. */
export function numbersFrame(type: number, ...numbers: readonly number[]): Buffer {
  const payload = Buffer.alloc(numbers.length * 4);
  for (const [index, value] of numbers.entries()) payload.writeUInt32BE(value, index * 4);
  return controlFrame(type, 0, payload);
}

/** Header of a data frame. */
export function dataHeader(streamId: number, length: number, fin: boolean): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(streamId, 0);
  header.writeUInt8(fin ? FLAG_FIN : 0, 4);
  header.writeUIntBE(length, 5, 3);
  return header;
}

/** SYN_STREAM with its compressed headers. */
export function synStreamFrame(streamId: number, block: Buffer): Buffer {
  const ids = Buffer.alloc(10);
  ids.writeUInt32BE(streamId, 0);
  return controlFrame(FRAME.synStream, 0, Buffer.concat([ids, block]));
}

/** SYN_REPLY with its compressed headers. */
export function synReplyFrame(streamId: number, block: Buffer): Buffer {
  const id = Buffer.alloc(4);
  id.writeUInt32BE(streamId, 0);
  return controlFrame(FRAME.synReply, 0, Buffer.concat([id, block]));
}
