import { idOf } from "@binnacle/graph";
import { encodeKey, keyOf, type KubeObject } from "@binnacle/kube";

import { isAmbient } from "./ambient-object.ts";
import { IN_SIGHT, type Arrival, type Sighting } from "./sighting.ts";

/** What happens to the objects of a layer. */
export interface ObjectChanges {
  upsert(object: KubeObject, layerId: string, sighting: Sighting): void;
  remove(object: KubeObject, layerId: string, sighting: Sighting): void;
}

/**
 * What each source has brought, in a layer of its own: two sources of one kind never touch each other's objects. It turns "these are
 * all there are" into single changes, and sees to it that an object re-created under its name replaces the one before, whichever
 * event was missed.
 */
export class ObjectStore {
  readonly #layers = new Map<string, ObjectLayer>();
  readonly #changes: ObjectChanges;
  /** Layers whose next list replaces what is known, whatever its version. */
  readonly #forgotten = new Set<string>();

  constructor(changes: ObjectChanges) {
    this.#changes = changes;
  }

  /** How many objects of a layer there are. @param namespace empty for all */
  count(layerId: string, namespace = ""): number {
    return this.#layers.get(layerId)?.count(namespace) ?? 0;
  }

  /** Objects of a layer by id. @param namespace empty for all */
  objectsOf(layerId: string, namespace = ""): ReadonlyMap<string, KubeObject> {
    return this.#layers.get(layerId)?.objectsOf(namespace) ?? NOTHING;
  }

  /** Other parts of the objects of a layer are kept from now on: the next `replace` takes also those whose version is known. */
  forgetVersions(layerId: string): void {
    this.#forgotten.add(layerId);
  }

  /**
   * These are all objects of the layer.
   *
   * @param wasWhole what the layer has was all there was, and this is: whatever only one of them has came or went in between
   */
  replace(layerId: string, objects: readonly KubeObject[], wasWhole = false): void {
    const now = new Set(objects.map(idOf));
    const forgotten = this.#forgotten.delete(layerId);
    const known = this.objectsOf(layerId);
    const coming: Arrival = wasWhole ? GAP : IN_SIGHT;
    for (const [id, object] of known) if (!now.has(id)) this.remove(layerId, object, coming);
    for (const object of objects) {
      const before = this.#layers.get(layerId)?.get(object);
      const version = object.metadata.resourceVersion;
      if (!forgotten && version !== undefined && before?.metadata.resourceVersion === version) continue;
      this.upsert(layerId, object, before === undefined ? coming : GAP);
    }
  }

  upsert(layerId: string, object: KubeObject, arrival: Arrival = IN_SIGHT): void {
    if (isAmbient(object)) return;
    const layer = this.#layers.get(layerId) ?? new ObjectLayer();
    this.#layers.set(layerId, layer);
    const earlier = layer.named(encodeKey(keyOf(object)));
    // That it went was missed.
    if (earlier && idOf(earlier) !== idOf(object)) this.remove(layerId, earlier, arrival.way === "sight" ? IN_SIGHT : GAP);
    const before = layer.get(object);
    layer.put(object);
    this.#changes.upsert(object, layerId, { ...arrival, before });
  }

  remove(layerId: string, object: KubeObject, arrival: Arrival = IN_SIGHT): void {
    const known = this.#layers.get(layerId)?.take(object);
    if (known) this.#changes.remove(known, layerId, { ...arrival, before: known });
  }

  /** Adds a layer with the objects of some namespaces, as they are now. No change is reported. */
  copy(layerId: string, toId: string, namespaces: readonly string[]): void {
    const copy = new ObjectLayer();
    for (const namespace of namespaces) for (const object of this.objectsOf(layerId, namespace).values()) copy.put(object);
    this.#layers.set(toId, copy);
  }

  /** Drops a layer without readers. No change is reported. */
  drop(layerId: string): void {
    this.#layers.delete(layerId);
    this.#forgotten.delete(layerId);
  }
}

const GAP: Arrival = { way: "gap" };
const NOTHING: ReadonlyMap<string, KubeObject> = new Map();

/** Objects of one kind that one source has brought: by id, by name, and by namespace. */
class ObjectLayer {
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
