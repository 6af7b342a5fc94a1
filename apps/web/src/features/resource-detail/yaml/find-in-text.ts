/** With more, nobody goes from one to the next. */
const MOST_HITS = 1_000;

/** Where a text holds what is looked for: characters from its start, in their order. */
export interface Hits {
  readonly spans: readonly { readonly from: number; readonly to: number }[];
  /** There are more, which were not looked for. */
  readonly isCut: boolean;
}

/** Finds what was typed, whatever the case of its letters; nothing is found of nothing. */
export function findInText(text: string, query: string): Hits {
  if (query === "") return { spans: [], isCut: false };
  // Not by lower-case copies: some letters change their length.
  const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "giu");
  const spans: { from: number; to: number }[] = [];
  for (const { index, 0: hit } of text.matchAll(pattern)) {
    if (spans.length === MOST_HITS) return { spans, isCut: true };
    spans.push({ from: index, to: index + hit.length });
  }
  return { spans, isCut: false };
}
