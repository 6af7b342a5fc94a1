import type { IncomingStream } from "../http2-listener/http2-listener.ts";

/**
 * Shows the check of the token every value of `authorization` that was sent: Node keeps the first of several and hides the rest, and whoever
 * stands in front of us may have looked at another one. Joined they are no bearer token, so the call is refused.
 */
export function showEveryAuthorization({ headers, rawHeaders }: Pick<IncomingStream, "headers" | "rawHeaders">): void {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "authorization");
  if (values.length > 1) headers.authorization = values.join(", ");
}
