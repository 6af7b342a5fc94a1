import { HeaderTable, sizeOfField, type HeaderField } from "./header-table.ts";
import { HpackError } from "./hpack-error.ts";
import { decodeHuffman } from "./huffman.ts";

/** A decoded field; `sensitive`: its sender wants it in no table, here or further on (RFC 7541 §6.2.3). */
export interface DecodedField {
  readonly field: HeaderField;
  readonly sensitive: boolean;
}

/** Bounds of a decoder. */
export interface HeaderDecoderOptions {
  /** SETTINGS_HEADER_TABLE_SIZE as the peer knows it. */
  readonly tableBytes: number;
  /** Of all fields of a block, each with 32 bytes on top, as SETTINGS_MAX_HEADER_LIST_SIZE counts. */
  readonly listBytes: number;
}

/** No length or index of ours needs more than this many bytes after the first. */
const MAX_INTEGER_BYTES = 4;

/** Decodes the header blocks of one direction of one connection; every block must pass through it, in order. */
export class HeaderDecoder {
  readonly #table: HeaderTable;
  readonly #listBytes: number;

  constructor(options: HeaderDecoderOptions) {
    this.#table = new HeaderTable(options.tableBytes);
    this.#listBytes = options.listBytes;
  }

  /** @throws HpackError; the decoder is of no use afterwards */
  decode(block: Uint8Array): DecodedField[] {
    const reader = new BlockReader(block);
    const fields: DecodedField[] = [];
    let bytes = 0;
    while (!reader.done) {
      const decoded = this.#next(reader, fields.length === 0);
      if (!decoded) continue;
      bytes += sizeOfField(decoded.field);
      if (bytes > this.#listBytes) throw new HpackError(`more than ${this.#listBytes} bytes of headers`);
      fields.push(decoded);
    }
    return fields;
  }

  /** @returns undefined for a new size of the table, which is no field */
  #next(reader: BlockReader, atBeginning: boolean): DecodedField | undefined {
    const first = reader.peek();
    if (first >= 0x80) return { field: this.#table.at(reader.integer(7)), sensitive: false };
    if (first >= 0x40) {
      const field = this.#literal(reader, 6);
      this.#table.add(field);
      return { field, sensitive: false };
    }
    if (first >= 0x20) {
      if (!atBeginning) throw new HpackError("a new size of the table in the middle");
      this.#table.resize(reader.integer(5));
      return undefined;
    }
    return { field: this.#literal(reader, 4), sensitive: first >= 0x10 };
  }

  #literal(reader: BlockReader, prefixBits: number): HeaderField {
    const index = reader.integer(prefixBits);
    const name = index === 0 ? reader.string() : this.#table.at(index)[0];
    return [name, reader.string()];
  }
}

/** Reads the integers and strings of a header block (RFC 7541 §5). */
class BlockReader {
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
