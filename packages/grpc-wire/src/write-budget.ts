import type { Duplex } from "node:stream";

import { unlimitedAccount, type ByteAccount } from "./byte-ledger.ts";

/** Bytes that may wait in a stream's own buffer. Node's mark for HTTP/2 streams (16 KiB) would stop the flow after every chunk. */
export const WRITE_BUDGET_BYTES = 256 * 1024;

/** Writes to a stream in pieces, and books what the other side does not read. What is written in one tick leaves in one go. */
export class WriteBudget {
  readonly #stream: Duplex;
  #account: ByteAccount = unlimitedAccount;
  #booked = 0;
  #corked = false;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on("drain", () => this.#bookAs(0));
  }

  /** Where what waits is booked from now on. */
  book(account: ByteAccount): void {
    this.#account = account;
  }

  /** @returns false when the buffer holds more than the budget: stop until `drain` */
  write(pieces: readonly Uint8Array[]): boolean {
    const stream = this.#stream;
    if (!this.#corked) {
      this.#corked = true;
      stream.cork();
      process.nextTick(uncork, this);
    }
    for (const piece of pieces) if (piece.byteLength > 0) stream.write(piece);
    // Below Node's own mark there will be no `drain` to take it back.
    if (stream.writableNeedDrain) this.#bookAs(stream.writableLength);
    return stream.writableLength < WRITE_BUDGET_BYTES;
  }

  /** The tick is over. */
  flush(): void {
    this.#corked = false;
    this.#stream.uncork();
  }

  #bookAs(bytes: number): void {
    const grown = bytes - this.#booked;
    this.#booked = bytes;
    if (grown > 0) this.#account.charge(grown);
    else if (grown < 0) this.#account.release(-grown);
  }
}

/** One function for all, so that a write costs no closure. */
function uncork(budget: WriteBudget): void {
  budget.flush();
}
