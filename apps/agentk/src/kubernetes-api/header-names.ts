const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** True for a legal header name. */
export function isHeaderName(name: string): boolean {
  return TOKEN.test(name);
}

const canonical = new Map<string, string>();

/** The name as Go's programs write it: `content-type` → `Content-Type`. Go's kas looks headers up in this form only. */
export function canonicalHeaderName(name: string): string {
  const known = canonical.get(name);
  if (known !== undefined) return known;
  const form = name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  // Bounded: names come from the API server, which may not fill our memory either.
  if (canonical.size < 1_000) canonical.set(name, form);
  return form;
}

/** Names that the values of a `Connection` header list, lower-case. @param before those of other lines */
export function connectionOptions(values: readonly string[], before: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  return new Set([...before, ...values.flatMap((value) => value.split(",")).map((name) => name.trim().toLowerCase())]);
}
