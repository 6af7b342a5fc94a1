/** As git shortens it. */
const SHORT_CHARS = 8;

/** The first characters of a commit's id. */
export function shortSha(sha: string): string {
  return sha.slice(0, SHORT_CHARS);
}
