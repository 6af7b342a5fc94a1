/** Bytes of gRPC's prefix: one flag and a 32-bit length. */
export const FRAME_PREFIX_BYTES = 5;

/** gRPC's prefix of an uncompressed message of `length` bytes. */
export function frameHeader(length: number): Buffer {
  const prefix = Buffer.allocUnsafe(FRAME_PREFIX_BYTES);
  prefix[0] = 0;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

/** A message given in pieces, as one gRPC frame: the prefix and then the same pieces, not joined. */
export function encodeFrame(pieces: readonly Uint8Array[]): Uint8Array[] {
  return [frameHeader(bytesOf(pieces)), ...pieces];
}

/** Sum of the lengths. */
export function bytesOf(pieces: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const piece of pieces) bytes += piece.byteLength;
  return bytes;
}
