/**
 * Shortens a sentence at its end, between words where there is a space in the last third of what is kept.
 *
 * @param limit most characters to keep, the ellipsis included; at least 2
 */
export function shortenEnd(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit - 1);
  const space = kept.lastIndexOf(" ");
  return `${(space > (limit * 2) / 3 ? kept.slice(0, space) : kept).trimEnd()}…`;
}
