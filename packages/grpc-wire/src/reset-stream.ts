import type { Http2Stream } from "node:http2";

/**
 * Breaks a stream off with RST_STREAM alone. Node's own `close` ends the writable side first, so that the peer reads an orderly end of the
 * request (END_STREAM) just before the reset, and may act on it.
 */
export function resetStream(stream: Http2Stream, rstCode: number): void {
  if (!stream.destroyed) Object.assign(stream, { _final: (done: () => void) => done() });
  stream.close(rstCode);
}
