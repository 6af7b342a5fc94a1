const BOUNDARY = /[^a-z0-9]/;

/**
 * How well the words of a query fit a text: 0 for not at all, more for better. Each word must stand in it, or its letters one after the other.
 * Linear in the text for each word.
 *
 * @param text in lower case, as the words
 */
export function fit(words: readonly string[], text: string, more = ""): number {
  let sum = 1;
  for (const word of words) {
    // What stands beside the name counts less, and only as it is written.
    const score = Math.max(fitOf(word, text), more.includes(word) ? 20 : 0);
    if (score === 0) return 0;
    sum += score;
  }
  // Of two that fit alike the shorter is nearer.
  return sum - Math.min(text.length, 100) / 100;
}

/** The words of what somebody has typed. */
export function wordsOf(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function fitOf(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return text.length === word.length ? 120 : 100;
  if (at > 0) return BOUNDARY.test(text[at - 1] ?? "") ? 80 : 60;
  return lettersFit(word, text);
}

/** "chkout" in "checkout": at most 40, less for each gap, more for beginnings of parts. */
function lettersFit(word: string, text: string): number {
  let from = 0;
  let gaps = 0;
  let beginnings = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return 0;
    if (at > from) gaps += 1;
    if (at === 0 || BOUNDARY.test(text[at - 1] ?? "")) beginnings += 1;
    from = at + 1;
  }
  return Math.max(1, 30 - 5 * gaps + 8 * beginnings);
}
