import { idOf } from "@binnacle/graph";
import { encodeKey, keyOf, type KubeObject } from "@binnacle/kube";

/** Objects of one kind that one source has brought: by id, by name, and by namespace. */
export class ObjectLayer {
  readonly #objects = new Map<string, KubeObject>();
  readonly #ids = new Map<string, string>();
  readonly #namespaces = new Map<string, Map<string, KubeObject>>();

  /** @param namespace empty for all */
  count(namespace: string): number {
    return this.objectsOf(namespace).size;
  }

  /** By id, as they are now and become. @param namespace empty for all */
  objectsOf(namespace: string): ReadonlyMap<string, KubeObject> {
    return namespace === "" ? this.#objects : (this.#namespaces.get(namespace) ?? NOTHING);
  }

  /** The object with the same id, as it was put here. */
  get(object: KubeObject): KubeObject | undefined {
    return this.#objects.get(idOf(object));
  }

  /** @param key as `encodeKey` makes it */
  named(key: string): KubeObject | undefined {
    const id = this.#ids.get(key);
    return id === undefined ? undefined : this.#objects.get(id);
  }

  put(object: KubeObject): void {
    this.take(object);
    const id = idOf(object);
    const namespace = object.metadata.namespace ?? "";
    const beside = this.#namespaces.get(namespace) ?? new Map<string, KubeObject>();
    this.#namespaces.set(namespace, beside);
    beside.set(id, object);
    this.#objects.set(id, object);
    this.#ids.set(encodeKey(keyOf(object)), id);
  }

  /** Takes the object with this id out. @returns it as it was here */
  take(object: KubeObject): KubeObject | undefined {
    const id = idOf(object);
    const known = this.#objects.get(id);
    if (known === undefined) return undefined;
    this.#objects.delete(id);
    const namespace = known.metadata.namespace ?? "";
    const beside = this.#namespaces.get(namespace);
    beside?.delete(id);
    if (beside?.size === 0) this.#namespaces.delete(namespace);
    const key = encodeKey(keyOf(known));
    if (this.#ids.get(key) === id) this.#ids.delete(key);
    return known;
  }
}

const NOTHING: ReadonlyMap<string, KubeObject> = new Map();
