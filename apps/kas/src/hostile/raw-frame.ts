/** The connection preface of an HTTP/2 client, with an empty SETTINGS frame (RFC 9113 §3.4). */
export const HTTP2_PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", "latin1");

/** Parts of a frame that need not agree with each other. */
export interface RawFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /**
   * Either hexadecimal, or `headers:` and lines of `name: value` joined by `|`, which become a header block of literals without indexing
   * (RFC 7541 §6.2.2).
   */
  readonly payload: string;
  /** Length in the header of the frame; default: the true one. */
  readonly length?: number | undefined;
}

/** The bytes of a frame (RFC 9113 §4.1). */
export function encodeRawFrame({ type, flags, stream, payload, length }: RawFrame): Buffer {
  const body = payload.startsWith("headers:") ? headerBlock(payload.slice("headers:".length)) : Buffer.from(payload, "hex");
  const head = Buffer.alloc(9);
  head.writeUIntBE((length ?? body.length) & 0xffffff, 0, 3);
  head[3] = type & 0xff;
  head[4] = flags & 0xff;
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, body]);
}

function headerBlock(text: string): Buffer {
  const lines = text.split("|").filter((line) => line !== "");
  return Buffer.concat(
    lines.flatMap((line) => {
      const at = line.indexOf(": ");
      return [Buffer.from([0]), literal(line.slice(0, at)), literal(line.slice(at + 2))];
    }),
  );
}

/** A string without Huffman coding, its length as an integer with a prefix of 7 bits (RFC 7541 §5.1). */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const length: number[] = [];
  if (bytes.length < 0x7f) length.push(bytes.length);
  else {
    length.push(0x7f);
    let rest = bytes.length - 0x7f;
    for (; rest >= 0x80; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}
