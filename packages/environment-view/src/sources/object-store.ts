import { idOf } from "@binnacle/graph";
import { encodeKey, keyOf, type KubeObject } from "@binnacle/kube";

import { isAmbient } from "./ambient-object.ts";

/** What happens to the objects of a view. */
export interface ObjectChanges {
  upsert(object: KubeObject): void;
  remove(object: KubeObject): void;
}

/**
 * Objects of all kinds by kind and uid. It turns "these are all there are" into single changes, and sees to it that an
 * object re-created under its name replaces the one before, whichever event was missed.
 */
export class ObjectStore {
  readonly #kinds = new Map<string, Map<string, KubeObject>>();
  readonly #ids = new Map<string, string>();
  readonly #changes: ObjectChanges;
  /** Kinds whose next list replaces what is known, whatever its version. */
  readonly #forgotten = new Set<string>();

  constructor(changes: ObjectChanges) {
    this.#changes = changes;
  }

  /** How many objects of a kind there are. */
  count(kindId: string): number {
    return this.#kinds.get(kindId)?.size ?? 0;
  }

  /** Other parts of the objects of a kind are kept from now on: the next `replace` takes also those whose version is known. */
  forgetVersions(kindId: string): void {
    this.#forgotten.add(kindId);
  }

  /** These are all objects of the kind. */
  replace(kindId: string, objects: readonly KubeObject[]): void {
    const now = new Set(objects.map(idOf));
    const forgotten = this.#forgotten.delete(kindId);
    for (const [id, object] of this.#kinds.get(kindId) ?? []) if (!now.has(id)) this.remove(kindId, object);
    for (const object of objects) {
      const before = this.#kinds.get(kindId)?.get(idOf(object));
      const version = object.metadata.resourceVersion;
      if (!forgotten && version !== undefined && before?.metadata.resourceVersion === version) continue;
      this.upsert(kindId, object);
    }
  }

  upsert(kindId: string, object: KubeObject): void {
    if (isAmbient(object)) return;
    const objects = this.#kinds.get(kindId) ?? new Map<string, KubeObject>();
    this.#kinds.set(kindId, objects);
    const id = idOf(object);
    const key = encodeKey(keyOf(object));
    const earlierId = this.#ids.get(key);
    const earlier = earlierId === undefined || earlierId === id ? undefined : objects.get(earlierId);
    if (earlier) this.remove(kindId, earlier);
    this.#ids.set(key, id);
    objects.set(id, object);
    this.#changes.upsert(object);
  }

  remove(kindId: string, object: KubeObject): void {
    const objects = this.#kinds.get(kindId);
    const id = idOf(object);
    const known = objects?.get(id);
    if (!known) return;
    objects?.delete(id);
    const key = encodeKey(keyOf(known));
    if (this.#ids.get(key) === id) this.#ids.delete(key);
    this.#changes.remove(known);
  }
}
