const MOST_NAMES = 100;
const MOST_NAME_CHARS = 253;
/** Letters of DNS names and addresses: what has others is no name of a host, and nothing to be shown. */
const NAME = /^[a-z0-9*._:-]+$/i;

/** Names of hosts among the alternative names of a certificate, in lower case, and whether there are more. */
export interface SubjectNames {
  readonly names: readonly string[];
  readonly namesCut: boolean;
}

/**
 * Reads alternative names as `X509Certificate` of Node writes them, "DNS:a.example, IP Address:10.0.0.1"; a name with a comma or the
 * like is quoted as in JSON, so that none can pass for two. The common name is no name of a host (RFC 9525 §2).
 */
export function namesOf(subjectAltName: string): SubjectNames {
  const names = new Set<string>();
  for (const entry of entriesOf(subjectAltName)) {
    const name = hostOf(entry);
    if (name === undefined || names.has(name)) continue;
    if (names.size === MOST_NAMES) return { names: [...names], namesCut: true };
    names.add(name);
  }
  return { names: [...names], namesCut: false };
}

function hostOf(entry: string): string | undefined {
  const name = ["DNS:", "IP Address:"].flatMap((prefix) => (entry.startsWith(prefix) ? entry.slice(prefix.length) : []))[0];
  return name !== undefined && name.length <= MOST_NAME_CHARS && NAME.test(name) ? name.toLowerCase() : undefined;
}

/** Parts between commas that stand outside of quotes. */
function* entriesOf(text: string): Generator<string> {
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (quoted && char === "\\") index += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) {
      yield text.slice(start, index).trim();
      start = index + 1;
    }
  }
  yield text.slice(start).trim();
}
