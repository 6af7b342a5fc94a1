/** What stands in the place of a credential. */
const MASK = "*****";

/** Ways in which programs print credentials; the first group stays. */
const CREDENTIALS: readonly RegExp[] = [
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/gi,
  /(\b(?:bearer|basic) )(?=\S*\d)[a-z0-9._~+/=-]{8,}/gi,
  /(\b[\w-]*(?:password|passwd|passphrase)["']?\s*[=:]\s*["']?)[^\s"',;&]{3,}/gi,
  // Tokens that say themselves what they are: GitLab's, GitHub's, Slack's.
  /(\b(?:gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-|gh[pousr]_|github_pat_|xox[a-z]-))[\w-]{8,}/g,
  // Headers; only what looks like a key, for "access key: see the manual" is a sentence.
  /(\b[\w-]*(?:api|access)[_-]?key\s*:\s*)(?=\S*\d)[^\s"',;&]{8,}/gi,
  // "failed to fetch anonymous token: unexpected status" is no token: a colon counts only after a quoted name.
  /(\b[\w-]*(?:secret|token|api[_-]?key|access[_-]?key)(?:\s*=\s*|["']\s*:\s*)["']?)[^\s"',;&]{3,}/gi,
];

/**
 * A sentence without credentials. Containers say what they like when they end, and that is quoted: URLs with a password,
 * bearer tokens and `password=…` lose their values; the rest stays as it is.
 */
export function maskCredentials(text: string): string {
  return CREDENTIALS.reduce((masked, pattern) => masked.replaceAll(pattern, `$1${MASK}`), text);
}
