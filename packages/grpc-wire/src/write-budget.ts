import type { Duplex } from "node:stream";

import { unlimitedAccount, type ByteAccount } from "./byte-ledger.ts";

/** Bytes that may wait in a stream's own buffer. Node's mark for HTTP/2 streams (16 KiB) would stop the flow after every chunk. */
export const WRITE_BUDGET_BYTES = 256 * 1024;

/** Writes to a stream in pieces, and books what the other side does not read. */
export class WriteBudget {
  readonly #stream: Duplex;
  #account: ByteAccount = unlimitedAccount;
  #booked = 0;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on("drain", () => this.#bookAs(0));
  }

  /** Where what waits is booked from now on. */
  book(account: ByteAccount): void {
    this.#account = account;
  }

  /**
   * Writes the pieces in one go.
   *
   * @returns false when the buffer holds more than the budget: stop until `drain`
   */
  write(pieces: readonly Uint8Array[]): boolean {
    const stream = this.#stream;
    stream.cork();
    for (const piece of pieces) if (piece.byteLength > 0) stream.write(piece);
    stream.uncork();
    // Below Node's own mark there will be no `drain` to take it back.
    if (stream.writableNeedDrain) this.#bookAs(stream.writableLength);
    return stream.writableLength < WRITE_BUDGET_BYTES;
  }

  #bookAs(bytes: number): void {
    const grown = bytes - this.#booked;
    this.#booked = bytes;
    if (grown > 0) this.#account.charge(grown);
    else if (grown < 0) this.#account.release(-grown);
  }
}
