/** Characters that draw nothing or turn the direction of what follows, except tab, line feed and the joiners of scripts and emoji. */
const INVISIBLE = /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Letters that are written from right to left, whose order would also change that of the text beside them. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

/** A text of another program by itself: invisible characters have a mark with their code point, such as `⟨U+202E⟩` ("trojan source"). */
export function markInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, markOf);
}

/** The same within a sentence or a line: right-to-left text is isolated from its surroundings as well (UAX #9). */
export function visibleText(text: string): string {
  const marked = markInvisible(text);
  return RIGHT_TO_LEFT.test(marked) ? `${FIRST_STRONG_ISOLATE}${marked}${POP_DIRECTIONAL_ISOLATE}` : marked;
}

function markOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
