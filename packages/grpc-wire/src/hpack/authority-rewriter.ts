import { MAX_HEADER_LIST_BYTES } from "../session-options.ts";
import { HeaderBlock, headerFrames } from "./header-block.ts";
import { HeaderDecoder, type DecodedField } from "./header-decoder.ts";
import { HpackError } from "./hpack-error.ts";

/** Replaces the authority of every request: it is not read, and every URL parser and HTTP/2 library accepts it. */
export const CONSTANT_AUTHORITY = "kas";

const PREFACE_BYTES = 24;
const FRAME_HEADER_BYTES = 9;
/** Frames we announce no larger size for (RFC 9113 §4.2). */
const MAX_FRAME_BYTES = 16_384;
/** SETTINGS_HEADER_TABLE_SIZE of Node's servers, which is the default of RFC 9113 §6.5.2. */
const TABLE_BYTES = 4_096;
const HEADERS = 0x1;
const PUSH_PROMISE = 0x5;
const CONTINUATION = 0x9;

/** Literal without indexing, new name; with the second bit pattern it may never be indexed (RFC 7541 §6.2.2, §6.2.3). */
const LITERAL = 0x00;
const NEVER_INDEXED = 0x10;

/**
 * Gives every request of an HTTP/2 client a legal `:authority`, before the session sees it. Go agents of 14.x name the whole URL when
 * they come through a WebSocket (`ws://host/path`), and nghttp2 resets a stream for the slash in it.
 *
 * Header blocks are decoded and encoded anew without any table, because an entry that is not sent on would shift all later indexes;
 * every other frame passes as it is. A client that breaks HPACK or one of the limits (64 KiB of headers, 64 frames a block) costs its
 * connection: nothing behind a broken block can be understood.
 */
export class AuthorityRewriter {
  readonly #decoder = new HeaderDecoder({ tableBytes: TABLE_BYTES, listBytes: MAX_HEADER_LIST_BYTES });
  #prefaceBytes = PREFACE_BYTES;
  /** Beginning of a frame's nine bytes, or of the payload of a frame with headers. */
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes of a foreign frame that still pass. */
  #passing = 0;
  #block: HeaderBlock | undefined;

  /**
   * @param chunk what the client sent, cut anywhere
   * @returns what the session shall see
   * @throws HpackError; the connection cannot go on
   */
  push(chunk: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    let rest = chunk;
    const preface = Math.min(this.#prefaceBytes, rest.byteLength);
    if (preface > 0) out.push(rest.subarray(0, preface));
    this.#prefaceBytes -= preface;
    rest = rest.subarray(preface);
    while (rest.byteLength > 0) rest = this.#passing > 0 ? this.#pass(rest, out) : this.#collect(rest, out);
    return out;
  }

  #pass(bytes: Uint8Array, out: Uint8Array[]): Uint8Array {
    const passed = bytes.subarray(0, this.#passing);
    this.#passing -= passed.byteLength;
    out.push(passed);
    return bytes.subarray(passed.byteLength);
  }

  #collect(bytes: Uint8Array, out: Uint8Array[]): Uint8Array {
    const missing = this.#wanted() - this.#pending.byteLength;
    this.#pending = Buffer.concat([this.#pending, bytes.subarray(0, missing)]);
    if (this.#pending.byteLength === FRAME_HEADER_BYTES) this.#begin(out);
    if (this.#pending.byteLength >= FRAME_HEADER_BYTES && this.#pending.byteLength === this.#wanted()) {
      this.#addToBlock(this.#pending, out);
      this.#pending = Buffer.alloc(0);
    }
    return bytes.subarray(Math.min(missing, bytes.byteLength));
  }

  /** How many bytes have to lie together before the next step. */
  #wanted(): number {
    return this.#pending.byteLength < FRAME_HEADER_BYTES ? FRAME_HEADER_BYTES : FRAME_HEADER_BYTES + this.#pending.readUIntBE(0, 3);
  }

  /** The nine bytes of a frame are there: it passes, or is kept until it is whole. */
  #begin(out: Uint8Array[]): void {
    const [bytes, type] = [this.#pending.readUIntBE(0, 3), this.#pending[3]];
    if (this.#block && type !== CONTINUATION) throw new HpackError("another frame inside");
    if (type === PUSH_PROMISE || (type === CONTINUATION && !this.#block)) throw new HpackError("a frame no client may send");
    if (type === HEADERS || type === CONTINUATION) {
      if (bytes > MAX_FRAME_BYTES) throw new HpackError(`a frame of ${bytes} bytes`);
      return;
    }
    out.push(this.#pending);
    this.#passing = bytes;
    this.#pending = Buffer.alloc(0);
  }

  #addToBlock(frame: Buffer, out: Uint8Array[]): void {
    if (this.#block) this.#block.continue(frame);
    else this.#block = new HeaderBlock(frame);
    if (!this.#block.complete) return;
    const fields = this.#decoder.decode(this.#block.fragment());
    const rewritten = fields.map(({ field, sensitive }) => ({
      field: field[0] === ":authority" ? ([":authority", CONSTANT_AUTHORITY] as const) : field,
      sensitive,
    }));
    out.push(...headerFrames(this.#block, encodeLiterals(rewritten), MAX_FRAME_BYTES));
    this.#block = undefined;
  }
}

/** A header block that needs no table: every field in full, uncompressed. Whatever decodes it keeps an empty dynamic table. */
export function encodeLiterals(fields: readonly DecodedField[]): Buffer {
  const parts: Uint8Array[] = [];
  for (const { field, sensitive } of fields) {
    parts.push(Buffer.of(sensitive ? NEVER_INDEXED : LITERAL));
    for (const text of field) parts.push(lengthOf(text.length), Buffer.from(text, "latin1"));
  }
  return Buffer.concat(parts);
}

/** A length with a seven-bit prefix (RFC 7541 §5.1), for a string that is not Huffman-coded. */
function lengthOf(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}
