import type { IncomingMessage } from "node:http";

import { HOP_HEADERS } from "@binnacle/grpc-wire";

import { ProxyRefusal } from "./proxy-refusal.ts";

/** Ends at this hop (RFC 9110 §7.6.1), frames the body anew, or is for us alone. */
const KEPT_BACK: ReadonlySet<string> = new Set([
  ...HOP_HEADERS,
  "expect",
  "host",
  "content-length",
  "authorization",
  "cookie",
  "origin",
  "referer",
  "gitlab-agent-id",
  "x-csrf-token",
]);

/** One spelling for all: `Impersonate_User` must not pass where `impersonate-user` would not (T5). */
const canonical = (name: string): string => name.toLowerCase().replaceAll("_", "-");

/**
 * Headers for the cluster: hop headers, credentials and what `Connection` names are left out.
 *
 * @param mayImpersonate whether the caller's own `Impersonate-*` may pass
 * @throws ProxyRefusal 400 for `Impersonate-*` that may not
 */
export function headersForAgent(request: IncomingMessage, mayImpersonate: boolean): Record<string, { value: string[] }> {
  const named = new Set(
    (request.headersDistinct["connection"] ?? []).flatMap((line) => line.split(",")).map((name) => canonical(name.trim())),
  );
  const headers: Record<string, { value: string[] }> = {};
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    const key = canonical(name);
    if (key.startsWith("impersonate-")) {
      if (!mayImpersonate) throw new ProxyRefusal(400, `the header ${name} is not allowed: the request already has an identity`);
    } else if (KEPT_BACK.has(key) || key.startsWith("gitlab-") || key.startsWith("sec-") || named.has(key)) continue;
    if (values !== undefined) headers[name] = { value: values };
  }
  const via = headers["via"]?.value ?? [];
  headers["via"] = { value: [...via, `${request.httpVersion} gitlab-kas`] };
  return headers;
}
