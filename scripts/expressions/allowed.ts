/** Slow expressions that may stay, as they are written, and why: what bounds the texts that they see. */
export const ALLOWED: ReadonlyMap<string, string> = new Map([
  [
    'new RegExp(pattern, "u")',
    "the sandbox's API server checks a text of at most 10,000 characters by the pattern of a CRD, as a real one does",
  ],
  ["new RegExp(`(?:^|; )${THEME_COOKIE}=([^;]*)`)", "a constant name in the page's own cookies, which the browser bounds"],
  [
    "new RegExp(`^${TOKEN}/${TOKEN}(; ?${TOKEN}=${TOKEN})*$`)",
    "a constant without `/`, `;` and `=`, so that each character has one place; it is tied to the beginning",
  ],
]);
