import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream, type ServerStreamResponseOptions } from "node:http2";

import type { ByteAccount } from "./byte-ledger.ts";
import { WriteBudget } from "./write-budget.ts";

/**
 * The writing half of a server's HTTP/2 stream. Nothing here throws: the other side may reset a stream between any two lines of ours,
 * and one that was reset with NO_ERROR while it was paused is closed long before it is destroyed. What Node refuses to send (a header
 * with a line break, say) resets the stream with INTERNAL_ERROR.
 */
export class AnswerStream {
  readonly #stream: ServerHttp2Stream;
  readonly #writes: WriteBudget;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    this.#writes = new WriteBudget(stream);
  }

  /** Where what the other side does not read is booked from now on. */
  book(account: ByteAccount): void {
    this.#writes.book(account);
  }

  /** Nothing that is sent now would arrive. */
  get gone(): boolean {
    const { closed, destroyed, session } = this.#stream;
    return closed || destroyed || session === undefined || session.destroyed;
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  /** Response headers, as names and values in turn too; nothing when they were sent before. */
  respond(headers: OutgoingHttpHeaders | readonly string[], options: ServerStreamResponseOptions = {}): void {
    if (this.headersSent || this.gone) return;
    try {
      this.#stream.respond(headers, options);
    } catch {
      this.reset(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  /** Trailers, once the stream wants them. */
  sendTrailers(trailers: OutgoingHttpHeaders): void {
    if (this.gone) return;
    try {
      this.#stream.sendTrailers(trailers);
    } catch {
      this.reset(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  /** @returns false when the buffer is full: stop until `drain`. A stream that is gone takes everything. */
  write(pieces: readonly Uint8Array[]): boolean {
    if (this.gone) return true;
    try {
      return this.#writes.write(pieces);
    } catch {
      this.reset(constants.NGHTTP2_INTERNAL_ERROR);
      return true;
    }
  }

  /** Called each time there is room again after a write returned false. */
  onDrain(resume: () => void): void {
    this.#writes.onDrain(resume);
  }

  /** No more bytes follow. */
  end(): void {
    if (this.gone) return;
    try {
      this.#writes.flush();
      this.#stream.end();
    } catch {
      this.reset(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  /** Breaks the stream off. @param rstCode 0 to 13; a client sees it as the end */
  reset(rstCode: number): void {
    try {
      if (!this.#stream.destroyed && !this.#stream.closed) this.#stream.close(rstCode);
    } catch {
      this.#stream.destroy();
    }
  }
}
