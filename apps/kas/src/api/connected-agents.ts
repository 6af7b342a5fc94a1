import { toBinary } from "@bufbuild/protobuf";
import { ConnectedAgentInfoSchema, type ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";

/** Replicas of one agent that a list names. */
const MAX_PER_AGENT = 256;
/** Room for the entries of an answer: clients of gRPC refuse more than 4 MiB. */
const MAX_BYTES = 3_500_000;
/** Tag and length of an entry. */
const FRAMING_BYTES = 8;

/** As many of the connections as one answer can hold, at most 256 of each agent; a list that was cut is a log line. */
export function listable(connections: readonly ConnectedAgentInfo[], log: Logger): ConnectedAgentInfo[] {
  const listed: ConnectedAgentInfo[] = [];
  const ofAgent = new Map<bigint, number>();
  let bytes = 0;
  for (const info of connections) {
    const count = (ofAgent.get(info.agentId) ?? 0) + 1;
    const size = toBinary(ConnectedAgentInfoSchema, info).length + FRAMING_BYTES;
    if (count > MAX_PER_AGENT || bytes + size > MAX_BYTES) continue;
    ofAgent.set(info.agentId, count);
    bytes += size;
    listed.push(info);
  }
  if (listed.length < connections.length)
    log.warn({ listed: listed.length, connected: connections.length }, "a list of connected agents was cut");
  return listed;
}

/**
 * A replica that is asked for by its connection must be one of those that are connected: a connection that is gone never comes back, so there
 * is nothing to wait for. An agent that is not connected at all may still come.
 *
 * @throws Fault `replica_not_addressable`
 */
export async function checkReplica(
  tracker: AgentTracker,
  { agentId, connectionId }: { readonly agentId: bigint; readonly connectionId: bigint },
): Promise<void> {
  if (connectionId === 0n) return;
  let connected: readonly ConnectedAgentInfo[];
  try {
    connected = await tracker.byAgent(agentId);
  } catch {
    return; // who cannot ask the store goes on with what this kas has itself
  }
  if (connected.length === 0 || connected.some((info) => info.connectionId === connectionId)) return;
  throw new Fault("replica_not_addressable", `agent ${agentId} is connected, but connection ${connectionId} is not one of its replicas`);
}
