import type { DecodedField } from "./header-decoder.ts";

/** Literal without indexing, new name; with the second bit pattern it may never be indexed (RFC 7541 §6.2.2, §6.2.3). */
const LITERAL = 0x00;
const NEVER_INDEXED = 0x10;

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
