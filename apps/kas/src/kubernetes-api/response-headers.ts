import type { OutgoingHttpHeaders } from "node:http";

import type { Values } from "@binnacle/proto/prototool";

/** What a cluster may say to a browser on our origin (CVE-2025-11224): nothing that sets state, runs or redirects elsewhere. */
const ALLOWED: ReadonlySet<string> = new Set([
  "accept-ranges",
  "age",
  "allow",
  "audit-id",
  "cache-control",
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
  "date",
  "etag",
  "expires",
  "last-modified",
  "retry-after",
  "vary",
  "warning",
  "x-kubernetes-pf-flowschema-uid",
  "x-kubernetes-pf-prioritylevel-uid",
]);

/** Types a browser would run. */
const ACTIVE = /^\s*(text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml)/i;

/** Headers for the client: an allow-list, and the walls against cluster content that scripts. */
export function headersForClient(header: Readonly<Record<string, Values>>): OutgoingHttpHeaders {
  const result: OutgoingHttpHeaders = {
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  for (const [name, { value }] of Object.entries(header)) {
    const key = name.toLowerCase();
    const [first] = value;
    if (first === undefined) continue;
    if (ALLOWED.has(key)) result[key] = value.length === 1 ? first : value;
    // A path of this very API may be followed; another host may not.
    else if (key === "location" && first.startsWith("/") && !first.startsWith("//")) result[key] = first;
  }
  const type = header["Content-Type"]?.value[0] ?? header["content-type"]?.value[0] ?? "";
  if (ACTIVE.test(type)) result["content-disposition"] = "attachment";
  return result;
}
