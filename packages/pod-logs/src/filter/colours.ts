const ESCAPE = "\u001B[";

/** Select graphic rendition (ECMA-48 8.3.117), the sequence that sets colours. Global: use it with `matchAll` and `replaceAll`. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
export const COLOUR_SEQUENCE = /\u001B\[([\d;:]{0,64})m/g;

/** Whether a line may have such sequences. */
export function mayHaveColours(text: string): boolean {
  return text.includes(ESCAPE);
}

/** A line as it is searched: without the sequences that colour it, as it is seen. */
export function withoutColours(text: string): string {
  return mayHaveColours(text) ? text.replaceAll(COLOUR_SEQUENCE, "") : text;
}
