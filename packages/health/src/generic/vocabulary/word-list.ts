/** The words of a list that is written as one text, separated by blanks and line breaks. */
export function wordList(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s/).filter(Boolean));
}

/** Pairs of words, by the second: which words may stand before it. */
export type WordPairs = ReadonlyMap<string, ReadonlySet<string>>;

/** The pairs of a list such as `not+found timed+out`. */
export function wordPairs(text: string): WordPairs {
  const pairs = new Map<string, Set<string>>();
  for (const pair of wordList(text)) {
    const [first = "", second = ""] = pair.split("+");
    const firsts = pairs.get(second) ?? new Set();
    pairs.set(second, firsts.add(first));
  }
  return pairs;
}
