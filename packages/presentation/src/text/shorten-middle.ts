/** So many characters at the end of a name tell it apart from its siblings: what the cluster has made up for a Pod, and a little before. */
const TELLING_CHARS = 8;

/** How much room a text takes, in the unit in which the room is given. Never less for a text with more characters. */
export type MeasureText = (text: string) => number;

/** In characters, as strings count them. */
const charsOf: MeasureText = (text) => text.length;

/**
 * Shortens a name in its middle. What is cut first is what siblings share: the last 8 characters stay whole as long as there is room for them.
 * Nothing is to cut the outcome again.
 *
 * @param room most that it may take, the ellipsis included: characters, or whatever `measure` gives; the ellipsis alone comes out of less than its own
 */
export function shortenMiddle(text: string, room: number, measure: MeasureText = charsOf): string {
  if (measure(text) <= room) return text;
  let [fits, most] = [1, text.length - 1];
  while (fits < most) {
    const chars = Math.ceil((fits + most) / 2);
    if (measure(cut(text, chars)) <= room) fits = chars;
    else most = chars - 1;
  }
  return cut(text, fits);
}

function cut(text: string, chars: number): string {
  const kept = chars - 1;
  const tail = Math.max(Math.floor(kept / 2), Math.min(TELLING_CHARS, kept));
  const [end, start] = [kept - tail, text.length - tail];
  // Never through the middle of a character.
  return `${text.slice(0, isInside(text, end) ? end - 1 : end)}…${text.slice(isInside(text, start) ? start + 1 : start)}`;
}

function isInside(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xff_ff;
}
