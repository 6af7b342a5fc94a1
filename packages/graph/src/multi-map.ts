import { forEachValue, sizeOf, valuesOf, withoutValue, withValue, type Bag } from "./bag.ts";

/** Several values per key; a key without values is gone. Values must be neither lists nor Sets. */
export class MultiMap<K, V> {
  readonly #bags = new Map<K, Bag<V>>();

  /** Adds a value; one that is there already stays once. */
  add(key: K, value: V): void {
    const before = this.#bags.get(key);
    const after = withValue(before, value);
    if (after !== before) this.#bags.set(key, after);
  }

  /** Removes a value, if it is there. */
  delete(key: K, value: V): void {
    const before = this.#bags.get(key);
    const after = withoutValue(before, value);
    if (after === undefined) this.#bags.delete(key);
    else if (after !== before) this.#bags.set(key, after);
  }

  /** Values of a key, as they are now: it is safe to change the map while walking them. */
  get(key: K): readonly V[] {
    return valuesOf(this.#bags.get(key));
  }

  /** Calls `visit` for each value of a key; it must not change the values of that key. */
  forEach(key: K, visit: (value: V) => void): void {
    forEachValue(this.#bags.get(key), visit);
  }

  /** How many values a key has. */
  count(key: K): number {
    return sizeOf(this.#bags.get(key));
  }

  /** All keys that have values. */
  keys(): Iterable<K> {
    return this.#bags.keys();
  }
}
