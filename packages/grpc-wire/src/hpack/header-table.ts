import { HpackError } from "./hpack-error.ts";

/** A name with its value, a character a byte. */
export type HeaderField = readonly [name: string, value: string];

/** What an entry costs besides its characters (RFC 7541 §4.1). */
const ENTRY_BYTES = 32;

/** The table both sides know without a word (RFC 7541, appendix A); index 1 is the first. */
// prettier-ignore
const STATIC_TABLE: readonly (readonly [name: string, value: string])[] = [
  [":authority", ""], [":method", "GET"], [":method", "POST"],
  [":path", "/"], [":path", "/index.html"], [":scheme", "http"],
  [":scheme", "https"], [":status", "200"], [":status", "204"],
  [":status", "206"], [":status", "304"], [":status", "400"],
  [":status", "404"], [":status", "500"], ["accept-charset", ""],
  ["accept-encoding", "gzip, deflate"], ["accept-language", ""], ["accept-ranges", ""],
  ["accept", ""], ["access-control-allow-origin", ""], ["age", ""],
  ["allow", ""], ["authorization", ""], ["cache-control", ""],
  ["content-disposition", ""], ["content-encoding", ""], ["content-language", ""],
  ["content-length", ""], ["content-location", ""], ["content-range", ""],
  ["content-type", ""], ["cookie", ""], ["date", ""],
  ["etag", ""], ["expect", ""], ["expires", ""],
  ["from", ""], ["host", ""], ["if-match", ""],
  ["if-modified-since", ""], ["if-none-match", ""], ["if-range", ""],
  ["if-unmodified-since", ""], ["last-modified", ""], ["link", ""],
  ["location", ""], ["max-forwards", ""], ["proxy-authenticate", ""],
  ["proxy-authorization", ""], ["range", ""], ["referer", ""],
  ["refresh", ""], ["retry-after", ""], ["server", ""],
  ["set-cookie", ""], ["strict-transport-security", ""], ["transfer-encoding", ""],
  ["user-agent", ""], ["vary", ""], ["via", ""],
  ["www-authenticate", ""],
];

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
