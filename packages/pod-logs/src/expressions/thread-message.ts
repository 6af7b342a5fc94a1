/** A request to the thread of expressions: one expression, and lines. */
export interface ThreadRequest {
  readonly id: number;
  readonly pattern: string;
  readonly matchesCase: boolean;
  /** Places that are wanted of each line; 0: only whether it matches. */
  readonly maxRanges: number;
  /** UTF-8 of all lines, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Their lengths in UTF-16 units. */
  readonly lengths: Uint32Array<ArrayBuffer>;
}

/** A response of the thread. `ready` comes once, when it takes requests. */
export type ThreadAnswer =
  | "ready"
  | {
      readonly id: number;
      /** Of each line that was searched, from the first: 1 if it matches, or how many places it has. Fewer than were sent: others had to wait. */
      readonly counts: Uint8Array<ArrayBuffer>;
      /** Start and end of all places. */
      readonly places: Uint32Array<ArrayBuffer>;
    }
  /** The expression is none, and why. */
  | { readonly id: number; readonly problem: string };

const encoder = new TextEncoder();
/** A byte order mark at the beginning is a part of the line. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Lines as buffers, which move to another thread without a copy. */
export function encodeLines(lines: readonly string[]): Pick<ThreadRequest, "bytes" | "lengths"> {
  return { bytes: encoder.encode(lines.join("")), lengths: Uint32Array.from(lines, ({ length }) => length) };
}

/** The lines of a request, one at a time. */
export function* decodeLines({ bytes, lengths }: Pick<ThreadRequest, "bytes" | "lengths">): Generator<string, void, void> {
  const text = decoder.decode(bytes);
  let at = 0;
  for (const length of lengths) {
    yield text.slice(at, at + length);
    at += length;
  }
}
