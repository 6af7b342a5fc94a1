import type { ApiObject } from "./api-object.ts";
import { expired } from "./api-error.ts";

/** One change of one object. `previous` is what stood there before; it is absent for ADDED. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly storage: string;
  readonly revision: number;
  readonly object: ApiObject;
  readonly previous?: ApiObject;
}

/**
 * All objects, in memory, with one revision counter and a bounded memory of the last changes. Everything is synchronous, so
 * calls do not interleave. Objects are never changed after they were stored; a write stores a new one.
 */
export class Store {
  readonly #tables = new Map<string, Map<string, ApiObject>>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #byUid = new Map<string, { readonly storage: string; readonly key: string }>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #historyLimit: number;
  #history: StoreEvent[] = [];
  /** Changes up to and including this revision are forgotten. */
  #forgotten = 1;
  #revision = 1;

  /** @param historyLimit how many changes are remembered; older versions are answered with 410 */
  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
  }

  get revision(): number {
    return this.#revision;
  }

  get(storage: string, namespace: string | undefined, name: string): ApiObject | undefined {
    return this.#tables.get(storage)?.get(keyIn(namespace, name));
  }

  byUid(uid: string): { readonly storage: string; readonly object: ApiObject } | undefined {
    const place = this.#byUid.get(uid);
    const object = place && this.#tables.get(place.storage)?.get(place.key);
    return place && object ? { storage: place.storage, object } : undefined;
  }

  /** Objects that name `uid` in their ownerReferences. */
  dependentsOf(uid: string): { readonly storage: string; readonly object: ApiObject }[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.byUid(dependent) ?? []);
  }

  /** Objects of a table, of one namespace or of all, in no particular order. */
  list(storage: string, namespace?: string): ApiObject[] {
    const all = [...(this.#tables.get(storage)?.values() ?? [])];
    return namespace === undefined ? all : all.filter((object) => object.metadata.namespace === namespace);
  }

  storages(): string[] {
    return [...this.#tables.keys()];
  }

  /**
   * The table as it was at a revision, sorted by namespace and name.
   *
   * @throws ApiError 410 when the changes since then are no longer remembered
   */
  listIn(storage: string, revision: number): ApiObject[] {
    const table = new Map(this.#tables.get(storage));
    if (revision < this.#revision) {
      if (revision < this.#forgotten) throw expired("The provided continue parameter is too old to display a consistent list result.");
      for (const event of this.#history.toReversed()) {
        if (event.revision <= revision) break;
        if (event.storage !== storage) continue;
        const key = keyIn(event.object.metadata.namespace, event.object.metadata.name);
        if (event.previous === undefined) table.delete(key);
        else table.set(key, event.previous);
      }
    }
    return [...table.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /**
   * Changes of a table after a revision.
   *
   * @throws ApiError 410 when they are no longer all remembered
   */
  eventsAfter(storage: string, revision: number): StoreEvent[] {
    if (revision < this.#forgotten) throw expired(`too old resource version: ${revision} (${this.#forgotten})`);
    return this.#history.filter((event) => event.revision > revision && event.storage === storage);
  }

  /** Stores an object under a new revision, written into its `metadata.resourceVersion`. */
  put(storage: string, object: ApiObject): ApiObject {
    const table = this.#tables.get(storage) ?? new Map<string, ApiObject>();
    this.#tables.set(storage, table);
    const key = keyIn(object.metadata.namespace, object.metadata.name);
    const previous = table.get(key);
    this.#revision += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
    table.set(key, stored);
    if (previous) this.#unlink(previous);
    this.#link(storage, stored);
    const common = { storage, revision: this.#revision, object: stored };
    this.#publish(previous ? { type: "MODIFIED", ...common, previous } : { type: "ADDED", ...common });
    return stored;
  }

  /** Takes an object away; the event carries its last state under the new revision. */
  remove(storage: string, object: ApiObject): ApiObject {
    const key = keyIn(object.metadata.namespace, object.metadata.name);
    const previous = this.#tables.get(storage)?.get(key);
    if (previous === undefined) return object;
    this.#tables.get(storage)?.delete(key);
    this.#unlink(previous);
    this.#revision += 1;
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
    this.#publish({ type: "DELETED", storage, revision: this.#revision, object: last, previous });
    return last;
  }

  /** Calls back on every change, after it is visible, until the returned function is called. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all remembered changes: every older revision is answered with 410 from now on. */
  compact(): void {
    this.#history = [];
    this.#forgotten = this.#revision;
  }

  #publish(event: StoreEvent): void {
    this.#history.push(event);
    // A quarter more than promised is kept, so that trimming happens once in a while instead of on every write.
    if (this.#history.length > this.#historyLimit * 1.25) {
      const dropped = this.#history.splice(0, this.#history.length - this.#historyLimit);
      this.#forgotten = dropped.at(-1)?.revision ?? this.#forgotten;
    }
    for (const listener of this.#listeners) listener(event);
  }

  #link(storage: string, object: ApiObject): void {
    const { uid, namespace, name, ownerReferences = [] } = object.metadata;
    this.#byUid.set(uid, { storage, key: keyIn(namespace, name) });
    for (const owner of ownerReferences) {
      const known = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, known.add(uid));
    }
  }

  #unlink(object: ApiObject): void {
    const { uid, ownerReferences = [] } = object.metadata;
    this.#byUid.delete(uid);
    for (const owner of ownerReferences) {
      const known = this.#dependents.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}

function keyIn(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}
