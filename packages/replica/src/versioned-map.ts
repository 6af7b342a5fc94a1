/** So many changes beyond the number of values are remembered: those of values that are gone. */
const MAX_BEYOND = 2_000;

/** What has changed in a map since a version. */
export interface ChangesSince<K, T> {
  readonly present: readonly T[];
  /** Ids that left, also of values that came and left again. */
  readonly gone: readonly K[];
}

/**
 * Values by id that remember when each changed last, so that any reader can get what it has missed, however many there are and
 * whenever they come back. It costs one entry for each value and 2,000 for those that left.
 */
export class VersionedMap<K extends string | number, T> {
  readonly #values = new Map<K, T>();
  /** One entry for each change, oldest first; of an id that changed more than once only the last counts. */
  #changes: { readonly id: K; readonly version: number }[] = [];
  /** Changes up to this version are forgotten. */
  #forgotten = 0;

  get size(): number {
    return this.#values.size;
  }

  get(id: K): T | undefined {
    return this.#values.get(id);
  }

  values(): MapIterator<T> {
    return this.#values.values();
  }

  ids(): MapIterator<K> {
    return this.#values.keys();
  }

  /** @param version larger than that of any change before */
  put(id: K, value: T, version: number): void {
    this.#values.set(id, value);
    this.#note(id, version);
  }

  /** @param version larger than that of any change before */
  remove(id: K, version: number): void {
    this.#values.delete(id);
    this.#note(id, version);
  }

  /** What has changed after a version; `undefined` when that is too long ago to know. */
  since(version: number): ChangesSince<K, T> | undefined {
    if (version < this.#forgotten) return undefined;
    const [present, gone] = [[] as T[], [] as K[]];
    const seen = new Set<K>();
    for (let index = this.#changes.length - 1; index >= 0; index -= 1) {
      const change = this.#changes[index];
      if (change === undefined || change.version <= version) break;
      if (seen.has(change.id)) continue;
      seen.add(change.id);
      const value = this.#values.get(change.id);
      if (value === undefined) gone.push(change.id);
      else present.push(value);
    }
    return { present: present.reverse(), gone: gone.reverse() };
  }

  #note(id: K, version: number): void {
    this.#changes.push({ id, version });
    if (this.#changes.length > 2 * (this.#values.size + MAX_BEYOND)) this.#compact();
  }

  /** Keeps the last change of each id, and no more than there is room for. */
  #compact(): void {
    const last = new Map<K, number>();
    for (const { id, version } of this.#changes) {
      last.delete(id);
      last.set(id, version);
    }
    const changes = Array.from(last, ([id, version]) => ({ id, version }));
    const dropped = changes.splice(0, Math.max(0, changes.length - this.#values.size - MAX_BEYOND));
    this.#forgotten = dropped.at(-1)?.version ?? this.#forgotten;
    this.#changes = changes;
  }
}
