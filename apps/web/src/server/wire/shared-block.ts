import { promisify } from "node:util";
import { constants, deflateRaw } from "node:zlib";

/** More work than a message is worth, for it is done once for all. */
const LEVEL = 6;

/** Bytes as deflate blocks (RFC 1951) that refer to nothing before them, end at a byte and are not the last. */
export type DeflateBlock = (bytes: Uint8Array) => Promise<Uint8Array>;

const inflatable = promisify(deflateRaw);

/**
 * Bytes that many streams send, and their compressed form, which is made once for all of them when the first one asks.
 */
export class SharedBlock {
  readonly bytes: Uint8Array;
  readonly #compress: DeflateBlock;
  #deflated: Promise<Uint8Array | undefined> | undefined;

  constructor(bytes: Uint8Array, compress: DeflateBlock = deflateBlock) {
    this.bytes = bytes;
    this.#compress = compress;
  }

  /** Deflate blocks that stand anywhere in a deflate stream after a full flush; `undefined` when they could not be made. */
  deflated(): Promise<Uint8Array | undefined> {
    return (this.#deflated ??= this.#compress(this.bytes).catch(() => undefined));
  }
}

function deflateBlock(bytes: Uint8Array): Promise<Uint8Array> {
  return inflatable(bytes, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH });
}
