import type { TableChange } from "./published-table.ts";

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
