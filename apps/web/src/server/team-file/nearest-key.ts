/** Longer words are not compared: nobody mistypes them. */
const MOST_CHARACTERS = 40;

/** The known key that was probably meant; `undefined` when none is near: a third of its characters may be wrong. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MOST_CHARACTERS) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of known) {
    const distance = distanceBetween(key.toLowerCase(), each.toLowerCase());
    if (distance < least && distance <= Math.max(1, Math.floor(each.length / 3))) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** Characters to put in, take out or replace (Levenshtein). */
function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [line, character] of Array.from(left).entries()) {
    const next = [line + 1];
    for (const [at, other] of Array.from(right).entries()) {
      const replaced = (row[at] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
