import { AgentTracker } from "@binnacle/proto/agent-tracker-rpc";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";

import type { KasApi } from "./kas-api.ts";

/** Asks who is connected as which agent. */
export interface ConnectedAgents {
  /** When each connected process of the agent connected; empty when none is. */
  connectedAt(agentId: number): Promise<readonly Date[]>;
}

/** Asks kas, as the real main application does. */
export function createConnectedAgents(kas: KasApi): ConnectedAgents {
  const client = createClient(AgentTracker, kas.transport);
  return {
    async connectedAt(agentId) {
      const { agents } = await client.getConnectedAgents(
        { request: { case: "agentId", value: BigInt(agentId) } },
        { headers: await kas.headers() },
      );
      return agents.flatMap((agent) => (agent.connectedAt ? [timestampDate(agent.connectedAt)] : []));
    },
  };
}
