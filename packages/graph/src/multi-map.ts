/** Above this many values a list would be slower than a Set. */
const LIST_LIMIT = 16;

/**
 * Several values per key. Most keys of a graph have one, most others a handful: a lone value is kept as it is and a few in a
 * list; only many get a Set. That is most of the memory, and of the time, of an index. Values must be neither lists nor Sets.
 */
export class MultiMap<K, V> {
  readonly #values = new Map<K, V | V[] | Set<V>>();

  /** Adds a value; one that is there already stays once. */
  add(key: K, value: V): void {
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, value);
    else if (known instanceof Set) known.add(value);
    else if (!Array.isArray(known)) {
      if (known !== value) this.#values.set(key, [known, value]);
    } else if (!known.includes(value)) {
      if (known.length < LIST_LIMIT) known.push(value);
      else this.#values.set(key, new Set(known).add(value));
    }
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
    if (!Array.isArray(known)) return known === value && this.#values.delete(key);
    const at = known.indexOf(value);
    if (at < 0) return false;
    known.splice(at, 1);
    if (known.length === 0) this.#values.delete(key);
    return true;
  }

  /** Values of a key, as they are now: it is safe to change the map while walking them. */
  get(key: K): readonly V[] {
    const known = this.#values.get(key);
    if (known === undefined) return NOTHING;
    if (known instanceof Set) return [...known];
    return Array.isArray(known) ? known.slice() : [known];
  }

  /** Calls `visit` for each value of a key; it must not change the values of that key. */
  forEach(key: K, visit: (value: V) => void): void {
    const known = this.#values.get(key);
    if (known === undefined) return;
    if (known instanceof Set || Array.isArray(known)) for (const value of known) visit(value);
    else visit(known);
  }

  /** How many values a key has. */
  count(key: K): number {
    const known = this.#values.get(key);
    if (known === undefined) return 0;
    if (known instanceof Set) return known.size;
    return Array.isArray(known) ? known.length : 1;
  }

  /** Whether the key has any value. */
  has(key: K): boolean {
    return this.#values.has(key);
  }
}

const NOTHING: readonly never[] = Object.freeze([]);
