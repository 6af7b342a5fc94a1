import type { Duplex } from "node:stream";

/** Bytes that may wait in a stream's own buffer. Node's mark for HTTP/2 streams (16 KiB) would stop the flow after every chunk. */
export const WRITE_BUDGET_BYTES = 256 * 1024;

/**
 * Writes the pieces in one go.
 *
 * @returns false when the buffer holds more than the budget: stop until `drain`
 */
export function writePieces(stream: Duplex, pieces: readonly Uint8Array[]): boolean {
  stream.cork();
  for (const piece of pieces) if (piece.byteLength > 0) stream.write(piece);
  stream.uncork();
  return stream.writableLength < WRITE_BUDGET_BYTES;
}
