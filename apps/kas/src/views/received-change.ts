import type { ViewUpdate } from "@binnacle/proto/kas-views";
import type { TableChange } from "@binnacle/live-table";

import { VIEW_BOUNDS } from "./view-bounds.ts";

/** Why a change cannot be taken. */
export class ChangeProblem extends Error {
  /** `rules`: no honest agent sends this; `size`: there is more than is kept here. */
  readonly kind: "rules" | "size";

  constructor(kind: "rules" | "size", message: string) {
    super(message);
    this.name = "ChangeProblem";
    this.kind = kind;
  }
}

/** What an entry costs beside its bytes, about. */
export const ENTRY_BYTES = 100;

/** Pieces of one change of a table, until it is whole: half a change is shown to nobody. */
export class ReceivedChange {
  /** `undefined`: the key has left. */
  #values = new Map<string, Uint8Array | undefined>();
  #reset = false;
  #begun = false;
  #bytes = 0;

  /** What the pieces hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @returns the change when this was its last piece
   * @throws ChangeProblem
   */
  add({ reset, entries, removed, more }: ViewUpdate): TableChange | undefined {
    if (reset) this.clear();
    if (!this.#begun) this.#reset = reset;
    this.#begun = true;
    for (const key of removed) this.#put(key, undefined);
    // A copy: what came is a view of a message that may hold much else.
    for (const { key, value } of entries) this.#put(key, value.slice());
    return more ? undefined : this.#whole();
  }

  /** The pieces so far are worth nothing. */
  clear(): void {
    this.#values = new Map();
    this.#bytes = 0;
    this.#begun = false;
    this.#reset = false;
  }

  #put(key: string, value: Uint8Array | undefined): void {
    if (key === "" || key.length > VIEW_BOUNDS.keyBytes) throw new ChangeProblem("rules", `a key of ${key.length} characters`);
    const before = this.#values.get(key);
    if (before !== undefined) this.#bytes -= before.byteLength;
    else if (!this.#values.has(key)) this.#bytes += key.length + ENTRY_BYTES;
    this.#bytes += value?.byteLength ?? 0;
    this.#values.set(key, value);
    if (this.#values.size > VIEW_BOUNDS.entries) throw new ChangeProblem("size", `more than ${VIEW_BOUNDS.entries} entries`);
    if (this.#bytes > VIEW_BOUNDS.topicBytes) throw new ChangeProblem("size", `more than ${VIEW_BOUNDS.topicBytes} bytes`);
  }

  #whole(): TableChange {
    const entries: { key: string; value: Uint8Array }[] = [];
    const removed: string[] = [];
    for (const [key, value] of this.#values) {
      if (value === undefined) removed.push(key);
      else entries.push({ key, value });
    }
    const reset = this.#reset;
    this.clear();
    return { reset, entries, removed };
  }
}
