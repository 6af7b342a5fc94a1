/** Above this many values a list would be slower than a Set. */
const LIST_LIMIT = 16;

/**
 * A small set. Most places of a graph hold one thing, most others a handful: a lone value is kept as it is and a few in a list;
 * only many get a Set. That is most of the memory, and of the time, of a graph. Values must be neither lists nor Sets nor
 * `undefined`. A bag is changed by putting what these functions return in its place. Lists are copied to their
 * exact length, as one that grows reserves room for twenty.
 */
export type Bag<V> = undefined | V | readonly V[] | Set<V>;

/** The bag with the value; one that is there already stays once. */
export function withValue<V>(bag: Bag<V>, value: V): Bag<V> {
  if (bag === undefined) return value;
  if (bag instanceof Set) return bag.add(value);
  if (!isList(bag)) return bag === value ? bag : [bag, value];
  if (bag.includes(value)) return bag;
  const { length } = bag;
  if (length >= LIST_LIMIT) return new Set(bag).add(value);
  // oxlint-disable-next-line unicorn/no-new-array -- the only way to a list of an exact length that costs one allocation
  const longer = new Array<V>(length + 1);
  for (let index = 0; index < length; index += 1) longer[index] = bag[index] as V; // It has that many.
  longer[length] = value;
  return longer;
}

/** The bag without the value; `undefined` once it is empty. */
export function withoutValue<V>(bag: Bag<V>, value: V): Bag<V> {
  if (bag instanceof Set) {
    bag.delete(value);
    return bag.size === 0 ? undefined : bag;
  }
  if (!isList(bag)) return bag === value ? undefined : bag;
  const at = bag.indexOf(value);
  if (at < 0) return bag;
  if (bag.length === 2) return bag[1 - at];
  return bag.slice(0, at).concat(bag.slice(at + 1));
}

/** Whether the value is in the bag. */
export function hasValue<V>(bag: Bag<V>, value: V): boolean {
  if (bag instanceof Set) return bag.has(value);
  return isList(bag) ? bag.includes(value) : bag === value && bag !== undefined;
}

/** How many values are in the bag. */
export function sizeOf<V>(bag: Bag<V>): number {
  if (bag === undefined) return 0;
  if (bag instanceof Set) return bag.size;
  return isList(bag) ? bag.length : 1;
}

/** The values, as they are now: it is safe to change the bag while walking them. */
export function valuesOf<V>(bag: Bag<V>): readonly V[] {
  if (bag === undefined) return NOTHING;
  if (bag instanceof Set) return [...bag];
  return isList(bag) ? bag : [bag];
}

/** Calls `visit` for each value; it must not change the bag. */
export function forEachValue<V>(bag: Bag<V>, visit: (value: V) => void): void {
  if (bag === undefined) return;
  if (bag instanceof Set) bag.forEach((value) => visit(value));
  else if (!isList(bag)) visit(bag);
  else for (let index = 0, { length } = bag; index < length; index += 1) visit(bag[index] as V); // It has that many.
}

/** The first value for which `test` holds; it must not change the bag. */
export function findValue<V>(bag: Bag<V>, test: (value: V) => boolean): V | undefined {
  if (bag === undefined) return undefined;
  if (bag instanceof Set || isList(bag)) {
    for (const value of bag) if (test(value)) return value;
    return undefined;
  }
  return test(bag) ? bag : undefined;
}

/** Whether the bag is a list or a Set: something to walk. */
export function isSeveral<V>(bag: Bag<V>): bag is readonly V[] | Set<V> {
  return bag instanceof Set || Array.isArray(bag);
}

/** `Array.isArray` does not narrow to lists that must not be changed. */
function isList<V>(bag: V | readonly V[]): bag is readonly V[] {
  return Array.isArray(bag);
}

const NOTHING: readonly never[] = Object.freeze([]);
