/** More hits are too many to step through. */
const MAX_HITS = 1_000;

/** Where a text holds what is looked for: characters from its start, in their order. */
export interface Hits {
  readonly spans: readonly { readonly from: number; readonly to: number }[];
  /** There are more, which were not looked for. */
  readonly isCut: boolean;
}

/**
 * Finds what was typed, whatever the case of its letters; nothing is found of nothing. In a text with letters that change their length with
 * their case, only what is written the same.
 */
export function findInText(text: string, query: string): Hits {
  const spans: { from: number; to: number }[] = [];
  if (query === "") return { spans, isCut: false };
  const low = text.toLowerCase();
  const [within, what] = low.length === text.length ? [low, query.toLowerCase()] : [text, query];
  for (let from = within.indexOf(what); from >= 0; from = within.indexOf(what, from + what.length)) {
    if (spans.length === MAX_HITS) return { spans, isCut: true };
    spans.push({ from, to: from + what.length });
  }
  return { spans, isCut: false };
}
