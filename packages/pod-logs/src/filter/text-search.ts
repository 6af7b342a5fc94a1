/** A part of a line that matches: UTF-16 indices, `end` is behind it. */
export interface MatchRange {
  readonly start: number;
  readonly end: number;
}

/** Finds a pattern in a text, in a time that is linear in the text's length. */
export interface TextSearch {
  test(text: string): boolean;
  /** At most `max` places without overlap; empty ones are left out. */
  ranges(text: string, max: number): MatchRange[];
}

/** Finds a text that is not empty. */
export function plainSearch(pattern: string, matchesCase: boolean): TextSearch {
  const fold = matchesCase ? (text: string): string => text : lowerCase;
  const wanted = fold(pattern);
  return {
    test: (text) => fold(text).includes(wanted),
    ranges: (text, max) => {
      const folded = fold(text);
      const found: MatchRange[] = [];
      for (let at = folded.indexOf(wanted); at >= 0 && found.length < max; at = folded.indexOf(wanted, at + wanted.length))
        found.push({ start: at, end: at + wanted.length });
      return found;
    },
  };
}

/** A text in lower case with the same indices: the one letter that becomes two stays as it is. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[^\u0130]+/g, (part) => part.toLowerCase());
}
