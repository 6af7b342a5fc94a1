/** Most answers that are kept. */
const MAX_ENTRIES = 5_000;
/** Longest text whose result is cached, in characters; a longer text is not a single word and is computed each time. */
const MAX_CHARS = 96;

/**
 * Remembers what a text means: names and words of statuses repeat from object to object. Texts come from clusters, so it is emptied when
 * it is full, and grows no further.
 *
 * @param answer a function of the text alone
 */
export function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const found = answer(text);
    if (text.length > MAX_CHARS) return found;
    if (known.size >= MAX_ENTRIES) known.clear();
    known.set(text, found);
    return found;
  };
}
