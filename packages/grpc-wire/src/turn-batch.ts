import type { Writable } from "node:stream";

/** Writes to a socket whatever one turn of the event loop brings in one go. @returns what `write` does: false: stop until `drain` */
export function writeInTurn(writable: Writable, chunk: Uint8Array): boolean {
  if (writable.writableCorked === 0) {
    writable.cork();
    setImmediate(uncork, writable);
  }
  return writable.write(chunk);
}

/**
 * Collects what one turn of the event loop brings and sends it in one go, in order and not joined. A TLS connection delivers one record at a time,
 * of 16 KiB or less, and each would become a message of its own.
 */
export class TurnBatch {
  readonly #send: (chunks: readonly Uint8Array[]) => boolean;
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #full = false;
  #scheduled = false;

  /**
   * @param maxBytes at which a batch is sent before its turn is over; more only when one chunk is larger
   * @param send takes a batch; false: nothing more is sent until `drained` is called
   */
  constructor(maxBytes: number, send: (chunks: readonly Uint8Array[]) => boolean) {
    this.#maxBytes = maxBytes;
    this.#send = send;
  }

  /** @returns false: stop until there is room again. What is written nevertheless is buffered until then. */
  write(chunk: Uint8Array): boolean {
    if (this.#bytes + chunk.byteLength > this.#maxBytes && !this.#full) this.flush();
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    this.#schedule();
    return !this.#full;
  }

  /** Sends at once what there is, for what has to come behind it. */
  flush(): void {
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    this.#full = !this.#send(chunks);
  }

  /** There is room again. */
  drained(): void {
    this.#full = false;
    if (this.#chunks.length > 0) this.#schedule();
  }

  /** The turn is over. */
  endTurn(): void {
    this.#scheduled = false;
    if (!this.#full) this.flush();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(endTurn, this);
  }
}

/** One function for all, so that a turn costs no closure. */
function endTurn(batch: TurnBatch): void {
  batch.endTurn();
}

function uncork(writable: Writable): void {
  writable.uncork();
}
