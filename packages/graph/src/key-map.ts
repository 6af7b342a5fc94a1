import type { ObjectKey } from "@binnacle/kube";

/** By the four parts of a key, one below the other. */
type Names<V> = Map<string, V>;
type Namespaces<V> = Map<string, Names<V>>;
type Kinds<V> = Map<string, Namespaces<V>>;

/**
 * Values by the keys of objects. A key is looked up part by part, and never made a text: a graph looks up several for each
 * object, and joining the parts, and hashing what comes out, would cost more than the rest of it.
 */
export class KeyMap<V> {
  readonly #groups = new Map<string, Kinds<V>>();

  /** The value of a key. */
  get({ group, kind, namespace, name }: ObjectKey): V | undefined {
    return this.#groups.get(group)?.get(kind)?.get(namespace)?.get(name);
  }

  /** Sets the value of a key. */
  set({ group, kind, namespace, name }: ObjectKey, value: V): void {
    below(below(below(this.#groups, group), kind), namespace).set(name, value);
  }

  /** Forgets a key, and the parts that it was the last of. */
  delete({ group, kind, namespace, name }: ObjectKey): void {
    const kinds = this.#groups.get(group);
    const namespaces = kinds?.get(kind);
    const names = namespaces?.get(namespace);
    if (names?.delete(name) !== true || names.size > 0) return;
    namespaces?.delete(namespace);
    if (namespaces?.size === 0) kinds?.delete(kind);
    if (kinds?.size === 0) this.#groups.delete(group);
  }
}

function below<V>(maps: Map<string, Map<string, V>>, part: string): Map<string, V> {
  let map = maps.get(part);
  if (map === undefined) {
    map = new Map();
    maps.set(part, map);
  }
  return map;
}
