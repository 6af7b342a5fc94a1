/**
 * Several values per key. Most keys of a graph have one, so that a lone value is kept without a Set of its own: that is most
 * of the memory of an index. Values must not be Sets themselves.
 */
export class MultiMap<K, V> {
  readonly #values = new Map<K, V | Set<V>>();

  /** Adds a value; one that is there already stays once. */
  add(key: K, value: V): void {
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, value);
    else if (known instanceof Set) known.add(value);
    else if (known !== value) this.#values.set(key, new Set([known, value]));
  }

  /** Removes a value; whether it was there. A key without values is gone. */
  delete(key: K, value: V): boolean {
    const known = this.#values.get(key);
    if (known === undefined) return false;
    if (known instanceof Set) {
      const removed = known.delete(value);
      if (known.size === 0) this.#values.delete(key);
      return removed;
    }
    return known === value && this.#values.delete(key);
  }

  /** Values of a key, as they are now: it is safe to change the map while walking them. */
  get(key: K): readonly V[] {
    const known = this.#values.get(key);
    if (known === undefined) return [];
    return known instanceof Set ? [...known] : [known];
  }

  /** How many values a key has. */
  count(key: K): number {
    const known = this.#values.get(key);
    if (known === undefined) return 0;
    return known instanceof Set ? known.size : 1;
  }

  /** Whether the key has the value. */
  hasValue(key: K, value: V): boolean {
    const known = this.#values.get(key);
    return known instanceof Set ? known.has(value) : known !== undefined && known === value;
  }

  /** Whether the key has any value. */
  has(key: K): boolean {
    return this.#values.has(key);
  }
}
