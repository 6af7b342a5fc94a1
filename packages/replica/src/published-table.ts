import { ReaderState } from "./reader-state.ts";
import { VersionedMap } from "./versioned-map.ts";

/** What a reader has missed. */
export interface TableChange {
  /** The previous content is discarded: the entries are all there are. */
  readonly reset: boolean;
  readonly entries: readonly TableEntry[];
  /** Keys that have left, also of entries that came and left again. */
  readonly removed: readonly string[];
}

/** One value. */
export interface TableEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** A reader of a table. */
export interface TableReader {
  /** Version to continue from in the same table; `undefined`: nothing was taken. */
  readonly version: number | undefined;
  /** What has changed since the last time, all in one; `undefined` while nothing has. The first time: everything. */
  take(): TableChange | undefined;
  /** Call it once, at the end. */
  close(): void;
}

/**
 * The side that writes: bytes by key, for readers here and, through `ChangePieces`, for a `Replica` in another process. A reader is a
 * version: a slow one costs nothing, and gets what it has missed in one piece: for each key only what holds now.
 */
export class PublishedTable {
  readonly #entries = new VersionedMap<string, TableEntry>();
  readonly #readers = new Set<ReaderState>();
  #version = 1;
  #bytes = 0;

  /** Of keys and values together. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Everything there is. */
  entries(): TableEntry[] {
    return [...this.#entries.values()];
  }

  get(key: string): Uint8Array | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Readers that have not left. */
  get readers(): number {
    return this.#readers.size;
  }

  /**
   * `ready` is called when there is something to take, once until it is taken, never inside another call. It must not throw.
   *
   * @param after `version` of an earlier reader of this table: reading continues there, when that version is still known
   */
  open(ready: () => void, after?: number): TableReader {
    const reader = new ReaderState(ready, after !== undefined && after <= this.#version ? after : undefined);
    this.#readers.add(reader);
    if (reader.version !== this.#version) reader.announce();
    return {
      get version() {
        return reader.version;
      },
      take: () => this.#take(reader),
      close: () => {
        this.#readers.delete(reader);
      },
    };
  }

  /** Does nothing when the value is the same. Readers are notified with `announce`. */
  put(key: string, value: Uint8Array): void {
    const before = this.#entries.get(key);
    if (before !== undefined && equal(before.value, value)) return;
    this.#bytes += value.byteLength - (before?.value.byteLength ?? -key.length);
    this.#version += 1;
    this.#entries.put(key, { key, value }, this.#version);
  }

  /** Nothing when there is none. */
  remove(key: string): void {
    const before = this.#entries.get(key);
    if (before === undefined) return;
    this.#bytes -= before.value.byteLength + key.length;
    this.#version += 1;
    this.#entries.remove(key, this.#version);
  }

  /** What a reader of another table has taken: it gets only the values that differ here. */
  apply(change: TableChange): void {
    if (change.reset) {
      const keys = new Set(change.entries.map(({ key }) => key));
      for (const key of this.#entries.ids()) if (!keys.has(key)) this.remove(key);
    }
    for (const key of change.removed) this.remove(key);
    for (const { key, value } of change.entries) this.put(key, value);
  }

  /** Notifies every reader that has something to take. */
  announce(): void {
    for (const reader of this.#readers) if (reader.version !== this.#version) reader.announce();
  }

  #take(reader: ReaderState): TableChange | undefined {
    const after = reader.version;
    if (after === this.#version) return undefined;
    const since = after === undefined ? undefined : this.#entries.since(after);
    reader.taken(this.#version);
    if (since === undefined) return { reset: true, entries: [...this.#entries.values()], removed: [] };
    return { reset: false, entries: since.present, removed: since.gone };
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.byteLength !== b.byteLength) return false;
  for (let index = 0; index < a.byteLength; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/** A part of a change. */
export interface ChangePiece extends TableChange {
  /** The change continues in the next piece and is complete only then. */
  readonly more: boolean;
}

/** A change in pieces, made one by one, so that one that a reader does not take costs nothing but the values it names. */
export class ChangePieces {
  readonly #change: TableChange;
  readonly #pieceBytes: number;
  #entry = 0;
  #removed = 0;
  #begun = false;

  /** @param pieceBytes of a piece at most, unless a single entry is larger */
  constructor(change: TableChange, pieceBytes: number) {
    this.#change = change;
    this.#pieceBytes = pieceBytes;
  }

  /** Undefined after the last one. */
  next(): ChangePiece | undefined {
    const { reset, entries, removed } = this.#change;
    if (this.#begun && this.isDone) return undefined;
    const first = !this.#begun;
    this.#begun = true;
    let bytes = 0;
    const from = { entry: this.#entry, removed: this.#removed };
    for (; bytes < this.#pieceBytes && this.#removed < removed.length; this.#removed += 1) bytes += sizeOf(removed[this.#removed]);
    for (; bytes < this.#pieceBytes && this.#entry < entries.length; this.#entry += 1) {
      const entry = entries[this.#entry];
      const size = sizeOf(entry?.key) + (entry?.value.byteLength ?? 0);
      if (bytes > 0 && bytes + size > this.#pieceBytes) break;
      bytes += size;
    }
    return {
      reset: reset && first,
      entries: entries.slice(from.entry, this.#entry),
      removed: removed.slice(from.removed, this.#removed),
      more: !this.isDone,
    };
  }

  /** Whether nothing is left. */
  get isDone(): boolean {
    return this.#entry === this.#change.entries.length && this.#removed === this.#change.removed.length;
  }
}

/** Of a text in a message, at most. */
function sizeOf(text = ""): number {
  return 3 * text.length + 16;
}
