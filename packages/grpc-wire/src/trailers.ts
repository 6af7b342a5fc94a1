import { HOP_HEADERS } from "./hop-headers.ts";
import type { ValuesMap } from "./message-writer.ts";

/** All names and values of the trailers of one message; what is more is dropped as a whole. */
const MAX_BYTES = 8 * 1024;
const MAX_FIELDS = 32;

/** What changes how a message is read, routed or authorized may not come behind it (RFC 9110 §6.5.1), nor what a browser acts upon. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  ...HOP_HEADERS,
  "authorization",
  "age",
  "cache-control",
  "clear-site-data",
  "cookie",
  "date",
  "expect",
  "expires",
  "forwarded",
  "host",
  "link",
  "location",
  "max-forwards",
  "origin",
  "pragma",
  "range",
  "refresh",
  "retry-after",
  "set-cookie",
  "strict-transport-security",
  "user-agent",
  "vary",
  "via",
  "www-authenticate",
  "authentication-info",
  "x-csrf-token",
]);
const FORBIDDEN_PREFIXES = [
  "access-control-",
  "content-",
  "gitlab-",
  "if-",
  "impersonate-",
  "kas-",
  "proxy-",
  "sec-",
  "x-forwarded-",
  "x-remote-",
];
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Whether a field of this name may be a trailer, in any spelling. */
export function isTrailerName(name: string): boolean {
  const canonical = name.toLowerCase().replaceAll("_", "-");
  return NAME.test(name) && !FORBIDDEN.has(canonical) && !FORBIDDEN_PREFIXES.some((prefix) => canonical.startsWith(prefix));
}

/** The trailers that may be passed on; `undefined`: there are none, or more than 32 fields or 8 KiB. */
export function allowedTrailers(fields: Iterable<readonly [name: string, values: readonly string[]]>): ValuesMap | undefined {
  const result: Record<string, { readonly value: readonly string[] }> = {};
  let count = 0;
  let bytes = 0;
  for (const [name, values] of fields) {
    if (!isTrailerName(name) || values.some((value) => CONTROLS.test(value))) continue;
    count += values.length;
    for (const value of values) bytes += name.length + value.length;
    if (count > MAX_FIELDS || bytes > MAX_BYTES) return undefined;
    result[name] = { value: [...(result[name]?.value ?? []), ...values] };
  }
  return count === 0 ? undefined : result;
}

/** Names and values in turn, as Node has them in `rawTrailers`, with all values of a name together. */
export function fieldsOfLines(lines: readonly string[]): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name = "", value = ""] = [lines[at], lines[at + 1]];
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), value]);
  }
  return fields;
}
