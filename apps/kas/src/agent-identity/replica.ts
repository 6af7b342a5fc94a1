import type { IncomingHttpHeaders, ServerHttp2Session } from "node:http2";

/** Metadata in which our agentk names its process, the same on every RPC. */
const INSTANCE_HEADER = "agentk-instance";

/**
 * Header with which the agent listener passes the calling replica to typed handlers; pass its value to
 * `TunnelRegistry.bindConnection`. What a client sends under this name is removed.
 */
export const REPLICA_HEADER = "kas-hop-replica";

const sessionIds = new WeakMap<ServerHttp2Session, number>();
let lastSessionId = 0;

/** Which agentk process a stream comes from: by its own word, or (agents that do not name themselves) by its connection. */
export function replicaOf(headers: IncomingHttpHeaders, session: ServerHttp2Session): string {
  const instance = headers[INSTANCE_HEADER];
  if (typeof instance === "string" && /^[\x21-\x7e]{1,128}$/.test(instance)) return `i:${instance}`;
  const known = sessionIds.get(session);
  if (known !== undefined) return `s:${known}`;
  lastSessionId += 1;
  sessionIds.set(session, lastSessionId);
  return `s:${lastSessionId}`;
}
