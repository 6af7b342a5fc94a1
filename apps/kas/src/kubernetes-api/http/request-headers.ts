import type { IncomingMessage } from "node:http";

import { ProxyRefusal } from "./proxy-refusal.ts";

/** What clients of Kubernetes say about the request itself; nothing of it can carry a credential or claim an identity. */
const ALLOWED: ReadonlySet<string> = new Set([
  // Content and its forms: client-go, kubectl, browsers.
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "content-type",
  "content-encoding",
  "content-language",
  "content-md5",
  "cache-control",
  "pragma",
  "prefer",
  "range",
  "user-agent",
  "x-requested-with",
  // Conditions.
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
  // Traces and audit.
  "audit-id",
  "traceparent",
  "tracestate",
  "x-request-id",
  "x-correlation-id",
  // Sub-protocols of exec, attach and port-forward.
  "x-stream-protocol-version",
]);
/** `Kubectl-Command` and `Kubectl-Session` name the command; `X-Kubernetes-*` belongs to the API server. */
const ALLOWED_PREFIXES = ["kubectl-", "x-kubernetes-"] as const;
/** Of these the first counts: two readers must not take different ones. */
const SINGLE: ReadonlySet<string> = new Set(["content-type", "content-encoding", "user-agent", "range", "if-range"]);

/** What is read of a request. */
type RequestLines = Pick<IncomingMessage, "headersDistinct" | "httpVersion">;

/** One spelling for all: `Impersonate_User` must not pass where `impersonate-user` would not (T5). */
const canonical = (name: string): string => (name.includes("_") ? name.replaceAll("_", "-") : name).toLowerCase();

/**
 * Headers for the cluster, in lower case. It is an allow-list: content negotiation (`Accept*`, `Content-Type`, `Content-Encoding`,
 * `Range`, `Cache-Control`), conditions (`If-*`), `User-Agent`, traces (`traceparent`, `X-Request-Id`), `Audit-ID`, and what belongs
 * to Kubernetes (`Kubectl-*`, `X-Kubernetes-*`, `X-Stream-Protocol-Version`); `Impersonate-*` where it is allowed. So no credential
 * (`Authorization`, `Cookie`, `Private-Token`, `Job-Token`, whatever comes next), no claim about the client (`X-Forwarded-*`,
 * `X-Remote-*`, `Forwarded`, `Via`) and nothing of one hop gets through (threats T4 to T7). `Via` is ours.
 *
 * @param mayImpersonate whether the caller's own `Impersonate-*` may pass
 * @throws ProxyRefusal 400 for `Impersonate-*` that may not
 */
export function headersForAgent(request: RequestLines, mayImpersonate: boolean): Record<string, { value: string[] }> {
  const lines = request.headersDistinct;
  const named = namedByConnection(lines["connection"]);
  const headers: Record<string, { value: string[] }> = {};
  for (const name in lines) {
    const values = lines[name];
    if (values === undefined) continue;
    const key = canonical(name);
    if (key.startsWith("impersonate-")) {
      if (!mayImpersonate) throw new ProxyRefusal(400, `the header ${name} is not allowed here`);
    } else if (!isAllowed(name) || named?.has(key) === true) continue;
    headers[name] = { value: SINGLE.has(name) ? values.slice(0, 1) : values };
  }
  headers["via"] = { value: [`${request.httpVersion} gitlab-kas`] };
  return headers;
}

/** Whether the client requests server-sent events: a response that ends when the client disconnects. */
export function wantsEvents({ headers }: IncomingMessage): boolean {
  return headers.accept?.toLowerCase().includes("text/event-stream") === true;
}

/** Names of headers that are for one hop only; undefined: none. */
function namedByConnection(lines: readonly string[] = []): ReadonlySet<string> | undefined {
  const [only] = lines;
  if (only === undefined || (lines.length === 1 && (only === "keep-alive" || only === "close"))) return undefined;
  return new Set(lines.flatMap((line) => line.split(",")).map((name) => canonical(name.trim())));
}

/** @param name in lower case; another spelling of an allowed one is not allowed */
function isAllowed(name: string): boolean {
  return ALLOWED.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
