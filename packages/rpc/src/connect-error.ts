import { Code, ConnectError } from "@connectrpc/connect";

import { Fault } from "./fault.ts";

/**
 * Any thrown value as the ConnectError a caller may see. A Fault keeps its code and sentence; a TimeoutError becomes
 * `deadline_exceeded` (ConnectError.from would say canceled); everything else becomes `internal` with its text kept back.
 */
export function toConnectError(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  if (thrown instanceof Fault) {
    const headers: Record<string, string> = { "binnacle-reason": thrown.reason };
    if (thrown.retryAfterSeconds !== undefined) headers["retry-after"] = String(thrown.retryAfterSeconds);
    return new ConnectError(thrown.message, thrown.code, headers, undefined, thrown.cause);
  }
  if (thrown instanceof Error && thrown.name === "TimeoutError") {
    return new ConnectError("the deadline passed", Code.DeadlineExceeded, undefined, undefined, thrown);
  }
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new ConnectError("the caller left", Code.Canceled, undefined, undefined, thrown);
  }
  return new ConnectError("internal error", Code.Internal, undefined, undefined, thrown);
}
