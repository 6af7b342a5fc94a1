import type { Duplex } from "node:stream";

import { unlimitedAccount, type ByteAccount } from "./byte-ledger.ts";

/** Bytes that may wait in a stream's own buffer. Node's mark for HTTP/2 streams (16 KiB) would stop the flow after every chunk. */
export const WRITE_BUDGET_BYTES = 256 * 1024;
/** Neighbours up to this size leave as one buffer: each costs Node's queue, nghttp2 and the kernel more than a copy of that much. */
const JOINED_BYTES = 1024;

/**
 * Writes to a stream in pieces, and books what the other side does not read. What is written in one tick leaves in one go; call `flush` before
 * the stream is ended.
 */
export class WriteBudget {
  readonly #stream: Duplex;
  #account: ByteAccount = unlimitedAccount;
  #booked = 0;
  /** Of this tick, in order. */
  #pieces: Uint8Array[] | undefined;
  #bytes = 0;
  #onDrain: (() => void) | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on("drain", () => {
      this.#bookAs(0);
      this.#onDrain?.();
    });
  }

  /** Called each time there is room again after a write returned false. */
  onDrain(resume: () => void): void {
    const before = this.#onDrain;
    this.#onDrain =
      before === undefined
        ? resume
        : () => {
            before();
            resume();
          };
  }

  /** Where what waits is booked from now on. */
  book(account: ByteAccount): void {
    this.#account = account;
  }

  /** @returns false when the buffer holds more than the budget: stop until `drain` */
  write(pieces: readonly Uint8Array[]): boolean {
    if (this.#pieces === undefined) {
      this.#pieces = [];
      process.nextTick(flush, this);
    }
    for (const piece of pieces) {
      if (piece.byteLength === 0) continue;
      this.#pieces.push(piece);
      this.#bytes += piece.byteLength;
    }
    return this.#look();
  }

  /** Writes what has come in this tick; nothing when that was done. */
  flush(): void {
    const stream = this.#stream;
    const pieces = this.#pieces;
    if (pieces === undefined) return;
    this.#pieces = undefined;
    this.#bytes = 0;
    if (stream.destroyed || stream.writableEnded) return;
    const joined = joinSmall(pieces);
    if (joined.length > 1) stream.cork();
    for (const piece of joined) stream.write(piece);
    if (joined.length > 1) stream.uncork();
    this.#look();
  }

  /** @returns whether there is room */
  #look(): boolean {
    const { writableLength, writableHighWaterMark } = this.#stream;
    const waiting = writableLength + this.#bytes;
    // Below Node's own mark there will be no `drain` to take it back.
    if (waiting >= writableHighWaterMark) this.#bookAs(waiting);
    return waiting < WRITE_BUDGET_BYTES;
  }

  #bookAs(bytes: number): void {
    const grown = bytes - this.#booked;
    this.#booked = bytes;
    if (grown > 0) this.#account.charge(grown);
    else if (grown < 0) this.#account.release(-grown);
  }
}

/** One function for all, so that a write costs no closure. */
function flush(budget: WriteBudget): void {
  budget.flush();
}

/** The same bytes in fewer pieces; large ones are not copied. */
function joinSmall(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const joined: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at <= pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece !== undefined && piece.byteLength <= JOINED_BYTES) continue;
    if (at - from > 1) joined.push(Buffer.concat(pieces.slice(from, at)));
    else if (at > from) joined.push(...pieces.slice(from, at));
    if (piece !== undefined) joined.push(piece);
    from = at + 1;
  }
  return joined;
}
