/** Of a longer text only a part is shown. */
const MAX_CHARS = 256;
/** Characters of a long text that are shown before the first difference. */
const BEFORE = 48;
const CUT = "…";

/** The two values of a field as texts of one line, at most 258 characters each. Of long ones the part around the first difference. */
export function shownValues(desired: unknown, live: unknown): { readonly desired: string; readonly live: string } {
  const [a, b] = [textOf(desired), textOf(live)];
  const from =
    Math.max(a.length, b.length) <= MAX_CHARS || live === undefined || desired === undefined ? 0 : firstDifference(a, b) - BEFORE;
  return { desired: cutFrom(a, from), live: cutFrom(b, from) };
}

/** Texts stand as they are unless they could be taken for something else. Nothing for what is not there. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string" && isPlain(value)) return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Deeper than the stack.
    return CUT;
  }
}

/** Not a number, a flag, nothing or the beginning of a list, and visible as a whole. */
function isPlain(text: string): boolean {
  return text.trim() === text && /^[^\p{C}"'[{]+$/u.test(text) && !/^(?:true|false|null|~|[-+.\d][\d.eE+-]*)$/.test(text);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at === a.length && at === b.length ? 0 : at;
}

function cutFrom(text: string, from: number): string {
  const start = Math.max(0, Math.min(from, text.length));
  const part = text.slice(start, start + MAX_CHARS);
  return `${start > 0 ? CUT : ""}${part.toWellFormed()}${start + MAX_CHARS < text.length ? CUT : ""}`;
}
