/** Only the beginning of a text is read, in characters: what happened comes first, and a status may have any length. */
const MAX_CHARS = 256;

const A = 65;
const Z = 90;
const SMALL_A = 97;
const SMALL_Z = 122;
const ZERO = 48;
const NINE = 57;
const APOSTROPHE = 39;

/**
 * The words of a text in small letters: of CamelCase, of names_with-signs and of sentences. Numbers are words, an apostrophe is none
 * ("can't" is "cant"). One pass, of the first 256 characters.
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const end = Math.min(text.length, MAX_CHARS);
  let start = -1;
  let before: Kind = "";
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === APOSTROPHE && start >= 0) continue;
    const kind = kindOf(code);
    if (start >= 0 && isBorder(before, kind, text.charCodeAt(index + 1))) {
      words.push(wordOf(text, start, index));
      start = -1;
    }
    if (kind !== "" && start < 0) start = index;
    before = kind;
  }
  if (start >= 0) words.push(wordOf(text, start, end));
  return words;
}

function wordOf(text: string, start: number, end: number): string {
  const word = text.slice(start, end).toLowerCase();
  return word.includes("'") ? word.replaceAll("'", "") : word;
}

/** A capital after a small letter, the last capital of several before a small letter (HTTP|Error), a number beside letters, any sign. */
function isBorder(before: Kind, kind: Kind, next: number): boolean {
  if (kind === "A") return before !== "A" || kindOf(next) === "a";
  if (kind === "a") return before === "1";
  return kind === "" || before !== kind;
}

/** `A` capital, `a` small letter, `1` digit, empty for all that is no part of a word. */
type Kind = "A" | "a" | "1" | "";

function kindOf(code: number): Kind {
  if (code >= SMALL_A && code <= SMALL_Z) return "a";
  if (code >= A && code <= Z) return "A";
  return code >= ZERO && code <= NINE ? "1" : "";
}
