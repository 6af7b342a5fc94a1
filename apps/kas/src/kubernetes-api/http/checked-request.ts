import type { IncomingMessage } from "node:http";

import { ProxyRefusal } from "./proxy-refusal.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * What a request must be before anybody looks at it more closely: a method of the Kubernetes API, one `Host`, below our prefix.
 *
 * @param prefix begins and ends with a slash
 * @throws ProxyRefusal 405 for another method (TRACE would show a client's credentials to scripts), 400
 */
export function checkRequest(request: IncomingMessage, prefix: string): void {
  if (!METHODS.has(request.method ?? ""))
    throw new ProxyRefusal(405, `the method ${request.method ?? ""} is not served`, { headers: { Allow: [...METHODS].join(", ") } });
  // Two readers of two hosts may take different ones (T12).
  const hosts = request.headersDistinct["host"] ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion !== "1.0"))
    throw new ProxyRefusal(400, "exactly one Host header is needed");
  if (!(request.url ?? "").startsWith(prefix)) throw new ProxyRefusal(400, `the path must begin with ${prefix}`);
}
