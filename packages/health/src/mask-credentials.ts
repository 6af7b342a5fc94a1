/** Longest sentence that is shown, in characters; the API allows as many in `metav1.Condition`. */
export const MAX_SHOWN_CHARS = 32_768;

/** What stands in the place of a credential. */
export const MASK = "*****";

/** So much more is masked than is shown: what begins in the shown part is seen to its end. */
const MARGIN_CHARS = 4_096;

/** Ways in which programs print credentials; the first group stays. What may stand before it is not looked for: that took a square of time. */
const CREDENTIALS: readonly RegExp[] = [
  /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g,
  /(\b(?:bearer|basic) )(?=\S*\d)[a-z0-9._~+/=-]{8,}/gi,
  /((?:password|passwd|passphrase)["']?\s*[=:]\s*["']?)[^\s"',;&]{3,}/gi,
  // Tokens that say themselves what they are: GitLab's, GitHub's, Slack's.
  /(\b(?:gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-|gh[pousr]_|github_pat_|xox[a-z]-))[\w-]{8,}/g,
  // "failed to fetch anonymous token: unexpected status" is no token: a colon counts only after a quoted name.
  /((?:secret|token|api[_-]?key|access[_-]?key)(?:\s*=\s*|["']\s*:\s*)["']?)[^\s"',;&]{3,}/gi,
];

/** Every expression above and below looks for one of these words: most texts have none, and are not searched any further. */
const SIGNS = /:\/\/|bearer |basic |pass|gl[a-z]{2,5}-|gh[a-z]_|github_|xox|secret|token|key/i;

/** Headers; only a value with a digit looks like a key, for "access key: see the manual" is a sentence. */
const HEADER = /((?:api|access)[_-]?key\s*:\s*)([^\s"',;&]{8,})/gi;

/**
 * A sentence without credentials. Containers say what they like when they end, and that is quoted: URLs with a password,
 * bearer tokens and `password=…` lose their values; the rest stays as it is. Of a text that is longer than `most` characters
 * (32 Ki), the rest is left out: it costs as much as its first part, however long it is.
 */
export function maskCredentials(text: string, max = MAX_SHOWN_CHARS): string {
  if (text.length <= max) return masked(text);
  const seen = masked(text.slice(0, max + MARGIN_CHARS));
  // The last characters were seen without what follows them, so a credential among them may not have been known as one.
  const known = text.length <= max + MARGIN_CHARS ? seen.length : Math.max(0, seen.length - MARGIN_CHARS);
  return `${seen.slice(0, Math.min(max, known))}…`;
}

/**
 * A text as it is, when it has at most `most` characters; else its beginning and an ellipsis, cut so that no credential loses the
 * part by which maskCredentials would have known it.
 */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  // No value of a credential has blanks or quotation marks in it.
  const end = Math.max(...[" ", "\n", "\t", '"'].map((sign) => text.lastIndexOf(sign, max)));
  // What has neither for long is masked before it is cut: that costs more, and loses less of the text.
  return end < max / 2 ? maskCredentials(text, max) : `${text.slice(0, end)}…`;
}

function masked(text: string): string {
  if (!SIGNS.test(text)) return text;
  const known = CREDENTIALS.reduce((result, pattern) => result.replaceAll(pattern, `$1${MASK}`), text);
  return known.replaceAll(HEADER, (whole, name: string, value: string) => (/\d/.test(value) ? `${name}${MASK}` : whole));
}
