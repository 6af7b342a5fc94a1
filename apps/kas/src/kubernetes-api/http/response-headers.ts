import type { OutgoingHttpHeaders } from "node:http";

import type { AnswerHeader } from "../../http-exchange/body-length.ts";

/** What a cluster may say to a browser on our origin (CVE-2025-11224): nothing that sets state, runs or redirects elsewhere. */
const ALLOWED: ReadonlySet<string> = new Set([
  "accept-ranges",
  "age",
  "allow",
  "audit-id",
  "cache-control",
  "content-encoding",
  "content-language",
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

/** Why agentk answers in the place of a service, in a word; it takes the header off what services say. */
const SERVICE_REFUSAL = "binnacle-service-refusal";

/** Types a browser would run. */
const ACTIVE = /^\s*(text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml)/i;

/**
 * Headers for the client, in lower case: an allow-list, and the protection against active content of the cluster. The caller, which
 * counts the body, sets the length.
 *
 * @param pathPrefix where the Kubernetes API, or the service, begins here; begins and ends with a slash
 * @param isOfService agentk may say why it answers itself
 */
export function headersForClient(header: AnswerHeader, pathPrefix: string, isOfService = false): OutgoingHttpHeaders {
  const result: OutgoingHttpHeaders = {
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  let isActive = false;
  for (const name in header) {
    const key = name.toLowerCase();
    const value = header[name]?.value ?? [];
    const [first] = value;
    if (first === undefined) continue;
    if (key === "content-type") isActive ||= value.some((type) => ACTIVE.test(type));
    if (key === "content-type") result[key] = asBytes(first);
    else if (ALLOWED.has(key) || (isOfService && key === SERVICE_REFUSAL))
      result[key] = value.length === 1 ? asBytes(first) : value.map(asBytes);
    else if (key === "location") {
      const location = locationForClient(first, pathPrefix);
      if (location !== undefined) result[key] = location;
    }
  }
  if (isActive) result["content-disposition"] = "attachment";
  return result;
}

/** What of a 101 is for the client: the accepted key, and which of the offered protocols it is. */
const HANDSHAKE = ["sec-websocket-accept", "sec-websocket-protocol", "sec-websocket-extensions", "x-stream-protocol-version"];

/** Headers of a 101 for the client, in lower case. */
export function handshakeForClient(header: AnswerHeader): OutgoingHttpHeaders {
  const result: OutgoingHttpHeaders = {};
  for (const name in header) {
    const [first] = header[name]?.value ?? [];
    if (first !== undefined && HANDSHAKE.includes(name.toLowerCase())) result[name.toLowerCase()] = asBytes(first);
  }
  return result;
}

/** A Go agent decodes what it reads as UTF-8; on the wire it is the bytes again, for Node writes one per character. */
export function asBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- every character that is one byte
  return /[^\u0000-\u00ff]/.test(text) ? Buffer.from(text).toString("latin1") : text;
}

/** Stands for the cluster's API server, wherever it lives. */
const UPSTREAM = "http://cluster.invalid";
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const FORBIDDEN = /[\\\u0000-\u0020\u007f]/;

/**
 * A redirect of the API server to a path of its own, as a path below ours; undefined for one that leads anywhere else. Browsers read
 * a backslash as a slash and skip tabs, so neither may stand in it (threats T2 and T11).
 */
function locationForClient(location: string, pathPrefix: string): string | undefined {
  if (!location.startsWith("/") || FORBIDDEN.test(location) || !URL.canParse(location, UPSTREAM)) return undefined;
  const { origin, pathname, search, hash } = new URL(location, UPSTREAM);
  if (origin !== UPSTREAM || pathname.includes("//")) return undefined;
  return `${pathPrefix.slice(0, -1)}${pathname}${search}${hash}`;
}

/**
 * `Kas-Agent-Views`, when it is known that the agent has views of environments. No cluster can send it through.
 *
 * @param engine what makes the views; undefined: not known, empty: the agent offers none
 */
export function viewsHeaders(engine: string | undefined): OutgoingHttpHeaders {
  return engine === undefined || engine === "" ? {} : { "kas-agent-views": engine };
}
