import { ConnectError } from "@connectrpc/connect";

import { Fault } from "./fault.ts";
import { callerStatusOf } from "./caller-status.ts";

/** Any thrown value as the ConnectError a caller may see (`callerStatusOf`); a Fault also carries its reason and `Retry-After`. */
export function toConnectError(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const { code, message } = callerStatusOf(thrown);
  if (!(thrown instanceof Fault)) return new ConnectError(message, code, undefined, undefined, thrown);
  const headers: Record<string, string> = { "binnacle-reason": thrown.reason };
  if (thrown.retryAfterSeconds !== undefined) headers["retry-after"] = String(thrown.retryAfterSeconds);
  return new ConnectError(message, code, headers, undefined, thrown.cause);
}
