import { HpackError } from "./hpack-error.ts";
import { decodeHuffman } from "./huffman.ts";

/** No length or index of ours needs more than this many bytes after the first. */
const MAX_INTEGER_BYTES = 4;

/** Reads the integers and strings of a header block (RFC 7541 §5). */
export class BlockReader {
  readonly #block: Uint8Array;
  #at = 0;

  constructor(block: Uint8Array) {
    this.#block = block;
  }

  get done(): boolean {
    return this.#at >= this.#block.byteLength;
  }

  /** The next byte, which stays. @throws HpackError at the end */
  peek(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new HpackError("it ends too early");
    return byte;
  }

  /** @param prefixBits bits of the first byte that belong to the number @throws HpackError */
  integer(prefixBits: number): number {
    const max = 2 ** prefixBits - 1;
    let value = this.#byte() & max;
    if (value < max) return value;
    for (let count = 0; count < MAX_INTEGER_BYTES; count += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * count);
      if (byte < 0x80) return value;
    }
    throw new HpackError("a number is too large");
  }

  /** A character a byte. @throws HpackError */
  string(): string {
    const huffman = this.peek() >= 0x80;
    const length = this.integer(7);
    const bytes = this.#block.subarray(this.#at, this.#at + length);
    if (bytes.byteLength < length) throw new HpackError("it ends inside a string");
    this.#at += length;
    return huffman ? decodeHuffman(bytes) : Buffer.from(bytes).toString("latin1");
  }

  #byte(): number {
    const byte = this.peek();
    this.#at += 1;
    return byte;
  }
}
