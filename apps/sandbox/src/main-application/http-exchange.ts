import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** A request, read whole. */
export interface HttpRequest {
  readonly method: string;
  /** Decoded path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; the first value of a repeated header. */
  readonly headers: ReadonlyMap<string, string>;
  readonly cookies: ReadonlyMap<string, string>;
  readonly body: Buffer;
  readonly remoteAddress: string;
}

/** An answer. */
export interface HttpReply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Most bytes of a request's body; more is answered 413. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Reads a request to its end.
 *
 * @returns `undefined` when the body is too large or the address is malformed
 */
export async function readRequest(message: IncomingMessage): Promise<HttpRequest | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > BODY_LIMIT_BYTES) return undefined;
    chunks.push(bytes);
  }
  try {
    const url = new URL(message.url ?? "/", "http://localhost");
    return {
      method: message.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: new Map(
        Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? (value[0] ?? "") : (value ?? "")]),
      ),
      cookies: parseCookies(message.headers.cookie),
      body: Buffer.concat(chunks),
      remoteAddress: message.socket.remoteAddress ?? "",
    };
  } catch {
    return undefined;
  }
}

/** Sends an answer; nothing of it may be stored by caches or framed. */
export function sendReply(response: ServerResponse, reply: HttpReply): void {
  response.writeHead(reply.status, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    ...reply.headers,
  });
  response.end(reply.body);
}

/** A JSON answer. */
export function jsonReply(status: number, value: unknown): HttpReply {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

/** The token of an `Authorization: Bearer` header. */
export function bearerOf(request: HttpRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

/** A body of JSON; `undefined` when it is none. */
export function jsonBodyOf(request: HttpRequest): unknown {
  try {
    return JSON.parse(request.body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? "").split(";").flatMap((text): [string, string][] => {
    const at = text.indexOf("=");
    return at < 0 ? [] : [[text.slice(0, at).trim(), text.slice(at + 1).trim()]];
  });
  return new Map(pairs.reverse());
}
