import type { KindAccessEntry } from "./graph-model.ts";

interface Key {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
}

/** How much of each kind is visible; a kind that was never reported is not. */
export class KindAccessTable {
  readonly #entries = new Map<string, KindAccessEntry>();
  /** Of kinds with an age: ids of what was referred to when it was looked. */
  readonly #requested = new Map<string, ReadonlySet<string>>();

  /**
   * Replaces what is known of a kind.
   *
   * @param referredTo ids of everything of the kind that is referred to and was not seen; called only after a new poll
   */
  set(entry: KindAccessEntry, referredTo: () => Iterable<string> = () => []): void {
    const id = `${entry.group}/${entry.kind}`;
    const isNewLook = entry.look !== undefined && entry.look !== this.#entries.get(id)?.look;
    if (isNewLook) this.#requested.set(id, new Set(referredTo()));
    else if (entry.look === undefined) this.#requested.delete(id);
    this.#entries.set(id, entry);
  }

  /** Whether what has this id, which is referred to and was not seen, does not exist. */
  isMissing(id: string, key: Key): boolean {
    return this.isComplete(key) && this.#requested.get(`${key.group}/${key.kind}`)?.has(id) !== false;
  }

  /** Whether an object of the kind that was not seen does not exist. */
  isComplete({ group, kind, namespace }: Key): boolean {
    const entry = this.#entries.get(`${group}/${kind}`);
    if (entry === undefined || entry.access !== "synced") return false;
    return entry.namespaces === undefined || entry.namespaces.includes(namespace);
  }
}
