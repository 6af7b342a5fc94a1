import type { IncomingMessage } from "node:http";

/** Headers of a request of Node's as `fetch` knows them. */
export function fetchHeadersOf(request: Pick<IncomingMessage, "headers">): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  return headers;
}
