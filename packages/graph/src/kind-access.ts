import type { KindAccessEntry } from "./graph-model.ts";

interface Key {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
}

/** How much of each kind is seen; what was never said is not visible. */
export class KindAccessTable {
  readonly #entries = new Map<string, KindAccessEntry>();

  /** Replaces what is known of a kind. */
  set(entry: KindAccessEntry): void {
    this.#entries.set(`${entry.group}/${entry.kind}`, entry);
  }

  /** Whether an object of the kind that was not seen does not exist. */
  isComplete({ group, kind, namespace }: Key): boolean {
    const entry = this.#entries.get(`${group}/${kind}`);
    if (entry === undefined || entry.access !== "synced") return false;
    return entry.namespaces === undefined || entry.namespaces.includes(namespace);
  }
}
