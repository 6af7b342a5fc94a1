import { closerOf, type Attention } from "../limits/watch-budget.ts";
import type { ObjectSink } from "../objects/object-feeds.ts";

/** A reader of a kind in a namespace. */
export interface KindReader extends ObjectSink {
  readonly attention: Attention;
  /** The state of something that it reads has changed. */
  stateChanged(): void;
}

/** The readers of a kind, by namespace; the empty one is all of them. */
export class KindReaders {
  readonly #readers = new Map<string, Set<KindReader>>();

  /** How many namespaces are read, all of them counting as one. */
  get size(): number {
    return this.#readers.size;
  }

  has(namespace: string): boolean {
    return this.#readers.has(namespace);
  }

  namespaces(): IterableIterator<string> {
    return this.#readers.keys();
  }

  of(namespace: string): Iterable<KindReader> {
    return this.#readers.get(namespace) ?? [];
  }

  /** @returns whether it is the first of this namespace */
  add(namespace: string, reader: KindReader): boolean {
    const readers = this.#readers.get(namespace) ?? new Set<KindReader>();
    this.#readers.set(namespace, readers);
    readers.add(reader);
    return readers.size === 1;
  }

  /** @returns whether it was the last of this namespace */
  remove(namespace: string, reader: KindReader): boolean {
    const readers = this.#readers.get(namespace);
    readers?.delete(reader);
    if (readers?.size !== 0) return false;
    this.#readers.delete(namespace);
    return true;
  }

  clear(): void {
    this.#readers.clear();
  }

  /** The closest attention of the readers of a namespace; for all namespaces, of all readers. */
  attentionOf(namespace: string): Attention {
    const readers = namespace === "" ? [...this.#readers.values()] : [this.of(namespace)];
    let closest: Attention = "none";
    for (const each of readers) for (const { attention } of each) closest = closerOf(closest, attention);
    return closest;
  }
}
