/** Where a member of `Slots` is. */
export interface Slot<T> {
  readonly value: T;
  /** Kept by `Slots`; -1 once it was removed. */
  index: number;
}

/**
 * An unordered collection of members that come and go thousands of times a second. A `Set` would do the same, but V8 replaces its table after
 * so many deletions, and a replaced table that was promoted keeps what was in it, and all that hangs on that, until the next major collection.
 */
export class Slots<T> {
  readonly #slots: Slot<T>[] = [];

  get size(): number {
    return this.#slots.length;
  }

  add(value: T): Slot<T> {
    const slot = { value, index: this.#slots.length };
    this.#slots.push(slot);
    return slot;
  }

  has(slot: Slot<T>): boolean {
    return slot.index >= 0 && this.#slots[slot.index] === slot;
  }

  /** @returns false when it is not here */
  remove(slot: Slot<T>): boolean {
    if (!this.has(slot)) return false;
    const last = this.#slots.pop();
    if (last !== undefined && last !== slot) {
      this.#slots[slot.index] = last;
      last.index = slot.index;
    }
    slot.index = -1;
    return true;
  }

  /** How many members it is true of. */
  count(isSo: (value: T) => boolean): number {
    let count = 0;
    for (const { value } of this.#slots) if (isSo(value)) count += 1;
    return count;
  }

  /** A copy: members may be added and removed while it is read. */
  values(): T[] {
    return this.#slots.map(({ value }) => value);
  }
}
