import { isDeepStrictEqual } from "node:util";

/** A value of which only changes are passed on; `undefined` while there is none. */
export class Latest<T> {
  #now: T | undefined;
  #taken: T | undefined;

  /** @param first counts as taken */
  constructor(first: T | undefined) {
    this.#now = first;
    this.#taken = first;
  }

  /** What was taken last. */
  get taken(): T | undefined {
    return this.#taken;
  }

  put(value: T | undefined): void {
    this.#now = value;
  }

  /** What it is now, once, when that is something else than what was taken last. */
  take(): T | undefined {
    if (isDeepStrictEqual(this.#now, this.#taken)) return undefined;
    this.#taken = this.#now;
    return this.#now;
  }
}
