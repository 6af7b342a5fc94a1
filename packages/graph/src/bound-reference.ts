import type { Reference } from "./reference.ts";

/** A reference of a node, and the nodes that it leads to right now. Compared by identity. */
export interface BoundReference {
  /** Id of the node that holds it. */
  readonly holder: string;
  readonly reference: Reference;
  readonly targets: Set<string>;
}

/** Adds to a set in a map of sets. */
export function addTo<K, V>(index: Map<K, Set<V>>, key: K, value: V): void {
  const set = index.get(key);
  if (set === undefined) index.set(key, new Set([value]));
  else set.add(value);
}

/** Removes from a set in a map of sets; empty sets go. */
export function removeFrom<K, V>(index: Map<K, Set<V>>, key: K, value: V): void {
  const set = index.get(key);
  if (set?.delete(value) === true && set.size === 0) index.delete(key);
}
