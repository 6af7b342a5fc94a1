import type { TableChange } from "./published-table.ts";

/** What an entry costs beside its bytes, about. */
export const ENTRY_BYTES = 100;

/** A change of a table of another process, or a piece of one. */
export interface ReplicaChange extends TableChange {
  /** The change continues in the next piece and is complete only then. */
  readonly more?: boolean;
  /** With a reset: names what may be read. */
  readonly rights?: string;
}

/** What pieces may hold together. */
export interface ChangeBounds {
  /** Keys and values, and what entries cost beside. Default: 64 MiB, for the largest view has some thousand nodes of some kilobytes. */
  readonly bytes?: number;
  /** Default: any number. */
  readonly entries?: number;
  /** Characters of a key, which is then not empty either. */
  readonly keyLength?: number;
}

/** A change cannot be taken in. */
export class ChangeError extends Error {
  override readonly name = "ChangeError";
  /** `rules`: no correct sender sends this; `size`: there is more than is stored here. */
  readonly kind: "rules" | "size";

  constructor(kind: "rules" | "size", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Pieces of one change of a table, until it is complete: a partial change is never shown. Of several values for one key the last one counts. */
export class JoinedChange {
  readonly #bounds: Required<Pick<ChangeBounds, "bytes" | "entries">> & ChangeBounds;
  /** `undefined`: the key has left. */
  #values = new Map<string, Uint8Array | undefined>();
  #reset = false;
  #rights: string | undefined;
  #begun = false;
  #bytes = 0;

  constructor({ bytes = 64 * 1024 * 1024, entries = Number.POSITIVE_INFINITY, ...rest }: ChangeBounds = {}) {
    this.#bounds = { bytes, entries, ...rest };
  }

  /** What the pieces hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a piece in; one that resets begins anew.
   *
   * @returns the change when this was its last piece
   * @throws ChangeError
   */
  add({ reset, entries, removed, rights, more = false }: ReplicaChange): ReplicaChange | undefined {
    for (const key of removed) this.#checkKey(key);
    for (const { key } of entries) this.#checkKey(key);
    if (reset) this.clear();
    if (!this.#begun) [this.#reset, this.#rights] = [reset, reset ? rights : undefined];
    this.#begun = true;
    for (const key of removed) this.#put(key, undefined);
    // A copy: what came is a view of a message that may hold much else.
    for (const { key, value } of entries) this.#put(key, value.slice());
    return more ? undefined : this.#joined();
  }

  /** The pieces so far are worth nothing. */
  clear(): void {
    this.#values = new Map();
    this.#bytes = 0;
    this.#begun = false;
    this.#reset = false;
  }

  #checkKey(key: string): void {
    const { keyLength } = this.#bounds;
    if (keyLength !== undefined && (key === "" || key.length > keyLength))
      throw new ChangeError("rules", `a key of ${key.length} characters`);
  }

  #put(key: string, value: Uint8Array | undefined): void {
    const { bytes, entries } = this.#bounds;
    const before = this.#values.get(key);
    if (before !== undefined) this.#bytes -= before.byteLength;
    else if (!this.#values.has(key)) this.#bytes += key.length + ENTRY_BYTES;
    this.#bytes += value?.byteLength ?? 0;
    this.#values.set(key, value);
    if (this.#values.size > entries) throw new ChangeError("size", `more than ${entries} entries`);
    if (this.#bytes > bytes) throw new ChangeError("size", `more than ${bytes} bytes`);
  }

  #joined(): ReplicaChange {
    const entries: { key: string; value: Uint8Array }[] = [];
    const removed: string[] = [];
    for (const [key, value] of this.#values) {
      if (value === undefined) removed.push(key);
      else entries.push({ key, value });
    }
    const [reset, rights] = [this.#reset, this.#rights];
    this.clear();
    return { reset, entries, removed, ...(rights !== undefined && { rights }) };
  }
}
