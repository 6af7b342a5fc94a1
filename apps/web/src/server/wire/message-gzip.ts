import { crc32 } from "node:zlib";

import { FlushedDeflate } from "./flushed-deflate.ts";
import type { OutgoingBlocks } from "./outgoing-blocks.ts";

/** RFC 1952 §2.3: deflate, and nothing is told of a file, a time or a system. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/**
 * One gzip stream (RFC 1952) of messages: each comes out whole before the next is asked for, so nobody waits for a message that was sent.
 * Blocks that many streams send are not compressed again but put between what is this stream's own; nothing refers across them.
 */
export async function* gzipMessages(messages: AsyncIterable<Uint8Array>, blocks: OutgoingBlocks): AsyncGenerator<Uint8Array> {
  const deflate = new FlushedDeflate();
  let [checksum, length] = [0, 0];
  try {
    yield HEADER;
    for await (const message of messages) {
      checksum = crc32(message, checksum);
      length += message.length;
      yield* compressed(message, deflate, blocks);
    }
    yield await deflate.end();
    yield trailer(checksum, length);
  } finally {
    deflate.close();
  }
}

async function* compressed(message: Uint8Array, deflate: FlushedDeflate, blocks: OutgoingBlocks): AsyncGenerator<Uint8Array> {
  const found = blocks.find(message);
  const shared = await found?.block.deflated();
  if (!found || !shared) {
    yield await deflate.write(message);
    return;
  }
  yield Buffer.concat([await deflate.write(message.subarray(0, found.start)), await deflate.forget()]);
  yield shared;
  if (found.end < message.length) yield await deflate.write(message.subarray(found.end));
}

/** RFC 1952 §2.3.1: CRC-32 and length of all that was put in, modulo 2^32, least byte first. */
function trailer(checksum: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(checksum, 0);
  bytes.writeUInt32LE(length % 2 ** 32, 4);
  return bytes;
}
