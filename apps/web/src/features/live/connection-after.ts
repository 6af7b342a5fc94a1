import type { Connection } from "@binnacle/proto/dashboard";
import { ConnectionState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";

/**
 * The connection after a stream that knows nothing of the cluster yet has said something: "not known yet" takes nothing back, and what
 * was away before the stream broke is away since then.
 */
export function connectionAfter(before: Connection | undefined, now: Connection): Connection {
  if (before === undefined) return now;
  if (now.state === ConnectionState.CONNECTING && before.state !== ConnectionState.CONNECTED) return before;
  if (now.state !== before.state || before.since === undefined) return now;
  const isOlder = now.since === undefined || millisOf(before.since) < millisOf(now.since);
  return isOlder ? { ...now, since: before.since } : now;
}
