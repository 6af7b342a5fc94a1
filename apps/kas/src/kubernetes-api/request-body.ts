import type { IncomingMessage } from "node:http";

/** Length the client announced; undefined when it did not. */
export function contentLengthOf(request: IncomingMessage): bigint | undefined {
  const text = request.headers["content-length"];
  return text === undefined ? undefined : BigInt(text);
}

/** The body; undefined when none follows (RFC 9112 §6.3). */
export function bodyOf(request: IncomingMessage): IncomingMessage | undefined {
  const follows = request.headers["transfer-encoding"] !== undefined || (request.headers["content-length"] ?? "0") !== "0";
  return follows ? request : undefined;
}
