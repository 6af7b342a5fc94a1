/**
 * Options of an `LRUCache` that holds at most so many entries. With `max` it would reserve the room for all of them at once: megabytes, in a
 * kas that never sees as many tokens.
 */
export function atMost(entries: number): { readonly maxSize: number; readonly sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
