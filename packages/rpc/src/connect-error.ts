import { ConnectError } from "@connectrpc/connect";

import { Fault } from "./fault.ts";
import { toldStatusOf } from "./told-status.ts";

/** Any thrown value as the ConnectError a caller may see (`toldStatusOf`); a Fault also tells its reason and when to come back. */
export function toConnectError(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const { code, message } = toldStatusOf(thrown);
  if (!(thrown instanceof Fault)) return new ConnectError(message, code, undefined, undefined, thrown);
  const headers: Record<string, string> = { "binnacle-reason": thrown.reason };
  if (thrown.retryAfterSeconds !== undefined) headers["retry-after"] = String(thrown.retryAfterSeconds);
  return new ConnectError(message, code, headers, undefined, thrown.cause);
}
