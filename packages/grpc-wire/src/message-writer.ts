import { FRAME_PREFIX_BYTES } from "./frame.ts";

const LENGTH_DELIMITED = 2;
/** What the buffer grows to at first; most messages are smaller. */
const INITIAL_BYTES = 4 * 1024;
/** A buffer that has grown beyond this is not kept. */
const MAX_RETAINED_BYTES = 64 * 1024;

/** Map of names to values as the tunnel carries it. */
export type ValuesMap = Readonly<Record<string, { readonly value: readonly string[] }>>;

/**
 * Writes protobuf messages from their end to their beginning, so that every length is known when its turn comes: no sizes are counted
 * and no message objects are made. Field numbers must be below 16. For the few messages that every request needs; all others are
 * written by protobuf-es. Write the last field first; one writer serves a whole process, since writing never waits.
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #at = INITIAL_BYTES;

  /** Bytes written so far; give it to `nest` later. */
  get mark(): number {
    return this.#buffer.length - this.#at;
  }

  string(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#make(length);
    this.#at -= length;
    if (length > 0) this.#buffer.write(text, this.#at, length, "utf8");
    this.#tag(field, length);
  }

  bytes(field: number, data: Uint8Array): void {
    this.#make(data.byteLength);
    this.#at -= data.byteLength;
    this.#buffer.set(data, this.#at);
    this.#tag(field, data.byteLength);
  }

  /** @param value at least 0 */
  varint(field: number, value: bigint): void {
    this.#make(0);
    const bytes = [];
    for (let rest = value; bytes.length === 0 || rest > 0n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    for (const byte of bytes.toReversed()) this.#byte(byte);
    this.#byte(field << 3);
  }

  /** Everything written since `mark` becomes the message in `field`. */
  nest(field: number, mark: number): void {
    this.#make(0);
    this.#tag(field, this.mark - mark);
  }

  /** A `map<string, Values>`. */
  valuesMap(field: number, map: ValuesMap): void {
    for (const name of Object.keys(map).toReversed()) this.valuesEntry(field, name, map[name]?.value ?? []);
  }

  /** One entry of a `map<string, Values>`. */
  valuesEntry(field: number, name: string, values: readonly string[]): void {
    const entry = this.mark;
    for (let index = values.length - 1; index >= 0; index -= 1) this.string(1, values[index] ?? "");
    this.nest(2, entry);
    this.string(1, name);
    this.nest(field, entry);
  }

  /** The message; the writer is empty again. */
  finish(): Uint8Array {
    const message = Buffer.allocUnsafe(this.mark);
    this.#buffer.copy(message, 0, this.#at);
    this.#reset();
    return message;
  }

  /** The message behind gRPC's prefix. */
  finishFrame(): Uint8Array {
    const length = this.mark;
    this.#make(FRAME_PREFIX_BYTES);
    this.#at -= FRAME_PREFIX_BYTES;
    this.#buffer[this.#at] = 0;
    this.#buffer.writeUInt32BE(length, this.#at + 1);
    return this.finish();
  }

  #reset(): void {
    if (this.#buffer.length > MAX_RETAINED_BYTES) this.#buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    this.#at = this.#buffer.length;
  }

  #tag(field: number, length: number): void {
    this.#number(length);
    this.#byte((field << 3) | LENGTH_DELIMITED);
  }

  #number(value: number): void {
    let size = 1;
    for (let rest = value >>> 7; rest > 0; rest >>>= 7) size += 1;
    this.#at -= size;
    let rest = value;
    for (let at = this.#at; at < this.#at + size - 1; at += 1) {
      this.#buffer[at] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#at + size - 1] = rest;
  }

  #byte(byte: number): void {
    this.#at -= 1;
    this.#buffer[this.#at] = byte;
  }

  /** Room for so many bytes, a length and a tag. */
  #make(bytes: number): void {
    if (this.#at >= bytes + 16) return;
    const written = this.#buffer.subarray(this.#at);
    const grown = Buffer.allocUnsafeSlow((this.#buffer.length + bytes) * 2);
    this.#at = grown.length - written.length;
    grown.set(written, this.#at);
    this.#buffer = grown;
  }
}
