/**
 * Bytes that may be held at a time, in parts of parts: process, view, kind. Besides its own limit a part may hold at most as much
 * as is left for all others of its parent: a greedy part leaves half to those that come after it, and never takes the last
 * byte ("dynamic thresholds", Choudhury and Hahne, 1998). Every method is synchronous.
 */
export class ByteBudget {
  readonly limitBytes: number;
  readonly #parent: ByteBudget | undefined;
  #usedBytes = 0;
  #closed = false;

  /** @param limitBytes the most that this budget and its parts hold together */
  constructor(limitBytes: number, parent?: ByteBudget) {
    this.limitBytes = limitBytes;
    this.#parent = parent;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** A part with an account of its own; close it when its bytes are no longer held. */
  part(limitBytes: number = this.limitBytes): ByteBudget {
    return new ByteBudget(limitBytes, this);
  }

  /** All of these bytes, here and in every budget above, or none of them. @returns whether they were taken */
  take(bytes: number): boolean {
    if (!this.#hasRoom(bytes)) return false;
    this.#add(bytes);
    return true;
  }

  /** Gives bytes back that were taken. */
  give(bytes: number): void {
    if (!this.#closed) this.#add(-Math.min(bytes, this.#usedBytes));
  }

  /** Gives everything back, also what parts hold. Nothing can be taken here any more. */
  close(): void {
    this.give(this.#usedBytes);
    this.#closed = true;
  }

  #hasRoom(bytes: number): boolean {
    const used = this.#usedBytes + bytes;
    if (this.#closed || used > this.limitBytes) return false;
    const parent = this.#parent;
    if (parent === undefined) return true;
    return used <= parent.limitBytes - parent.#usedBytes - bytes && parent.#hasRoom(bytes);
  }

  #add(bytes: number): void {
    this.#usedBytes += bytes;
    if (this.#parent !== undefined && !this.#parent.#closed) this.#parent.#add(bytes);
  }
}
