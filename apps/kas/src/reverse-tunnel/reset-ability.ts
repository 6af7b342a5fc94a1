import type { IncomingHttpHeaders } from "node:http2";

import { agentVersionOf, isSince } from "./agent-version.ts";
import { poolMaximumOf } from "./pool-maximum.ts";

/** Go agents end the request in the cluster when their tunnel is reset, from this version on. */
const GO_SINCE = [14, 5] as const;

/**
 * Whether a reset of its tunnel makes an agent stop the request in the cluster. A Go agent before 14.5 goes on until the cluster says
 * something more, and then stays away for 10 to 20 s, twice as long each time (docs/design/tunnel.md "Cancel"). Whoever says neither
 * our capabilities nor a version is treated as anybody who speaks gRPC: a reset is how a call is cancelled there.
 */
export function stopsWhenReset(headers: IncomingHttpHeaders): boolean {
  if (poolMaximumOf(headers) !== undefined) return true;
  const version = agentVersionOf(headers);
  return version === undefined || isSince(version, GO_SINCE);
}
