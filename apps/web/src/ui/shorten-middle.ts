/**
 * Shortens a name in its middle, because the ends tell siblings apart.
 *
 * @param limit most characters to keep, the ellipsis included; at least 3
 */
export function shortenMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = Math.floor((limit - 1) / 2);
  return `${text.slice(0, limit - 1 - tail)}…${text.slice(text.length - tail)}`;
}
