import type { IncomingMessage } from "node:http";

/** Says to a page whether the whole HTML is wanted, "yes" or "no": written over whatever the client sent. Next takes its own mark away. */
export const DOCUMENT_HEADER = "x-binnacle-document";

/** Whether a browser asks for a document, and not for what a page that is there already needs for another address, or may need. */
export function isDocument({ headers, method }: Pick<IncomingMessage, "headers" | "method">): boolean {
  return (
    method === "GET" && headers["rsc"] === undefined && headers["next-router-prefetch"] === undefined && headers["purpose"] !== "prefetch"
  );
}
