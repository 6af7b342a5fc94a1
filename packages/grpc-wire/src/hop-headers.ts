/** HTTP headers that belong to one connection and are never passed on (RFC 9110 §7.6.1, and the older ones). */
export const HOP_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
