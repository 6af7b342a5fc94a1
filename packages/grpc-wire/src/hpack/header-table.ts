import { HpackError } from "./hpack-error.ts";
import { STATIC_TABLE } from "./static-table.ts";

/** A name with its value, a character a byte. */
export type HeaderField = readonly [name: string, value: string];

/** What an entry costs besides its characters (RFC 7541 §4.1). */
const ENTRY_BYTES = 32;

/** Size of a field as tables and limits count it. */
export function sizeOfField([name, value]: HeaderField): number {
  return name.length + value.length + ENTRY_BYTES;
}

/** The static table and, behind it, what the peer has put into its dynamic one. */
export class HeaderTable {
  readonly #limitBytes: number;
  /** Newest first. */
  readonly #entries: HeaderField[] = [];
  #bytes = 0;
  #maxBytes: number;

  /** @param limitBytes what our SETTINGS allow */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#maxBytes = limitBytes;
  }

  /** @throws HpackError for an index that is in neither table */
  at(index: number): HeaderField {
    const field = index <= STATIC_TABLE.length ? STATIC_TABLE[index - 1] : this.#entries[index - STATIC_TABLE.length - 1];
    if (!field) throw new HpackError(`there is no entry ${index}`);
    return field;
  }

  /** An entry larger than the table empties it (RFC 7541 §4.4). */
  add(field: HeaderField): void {
    this.#entries.unshift(field);
    this.#bytes += sizeOfField(field);
    this.#evict();
  }

  /** @throws HpackError for more than our settings allow */
  resize(maxBytes: number): void {
    if (maxBytes > this.#limitBytes) throw new HpackError(`a table of ${maxBytes} bytes`);
    this.#maxBytes = maxBytes;
    this.#evict();
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#entries.pop();
      if (!oldest) return;
      this.#bytes -= sizeOfField(oldest);
    }
  }
}
