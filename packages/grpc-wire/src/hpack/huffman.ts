import { HpackError } from "./hpack-error.ts";

/** Bits of each symbol's code (RFC 7541, appendix B); the code is canonical, so the lengths say everything. The last one is EOS. */
// prettier-ignore
const CODE_BITS: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];
const EOS = 256;
const MAX_CODE_BITS = 30;

/** For each length: the first code, how many there are, and where their symbols begin in `SYMBOLS`. */
interface Level {
  readonly first: number;
  readonly count: number;
  readonly offset: number;
}

const SYMBOLS = [...CODE_BITS.keys()].toSorted((one, other) => (CODE_BITS[one] ?? 0) - (CODE_BITS[other] ?? 0) || one - other);
const LEVELS: readonly Level[] = levelsOf();

function levelsOf(): Level[] {
  const levels: Level[] = [];
  let code = 0;
  let offset = 0;
  for (let bits = 0; bits <= MAX_CODE_BITS; bits += 1) {
    code *= 2;
    const count = CODE_BITS.filter((length) => length === bits).length;
    levels.push({ first: code, count, offset });
    code += count;
    offset += count;
  }
  return levels;
}

/**
 * Text of a Huffman-coded string, a character a byte.
 *
 * @throws HpackError for EOS inside, or padding that is no prefix of EOS or longer than seven bits (RFC 7541 §5.2)
 */
export function decodeHuffman(bytes: Uint8Array): string {
  const text: number[] = [];
  let code = 0;
  let bits = 0;
  for (const byte of bytes) {
    for (let at = 7; at >= 0; at -= 1) {
      code = code * 2 + ((byte >> at) & 1);
      bits += 1;
      const symbol = symbolOf(code, bits);
      if (symbol === undefined) continue;
      if (symbol === EOS) throw new HpackError("EOS inside a string");
      text.push(symbol);
      code = 0;
      bits = 0;
    }
  }
  if (bits > 7 || code !== 2 ** bits - 1) throw new HpackError("wrong padding of a string");
  return Buffer.from(text).toString("latin1");
}

function symbolOf(code: number, bits: number): number | undefined {
  const level = LEVELS[bits];
  if (!level) throw new HpackError("an unknown code in a string");
  const place = code - level.first;
  return place >= 0 && place < level.count ? SYMBOLS[level.offset + place] : undefined;
}
