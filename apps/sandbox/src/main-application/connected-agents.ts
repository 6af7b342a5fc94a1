import { AgentTracker } from "@binnacle/proto/agent-tracker-rpc";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { SignJWT } from "jose";

/** Asks who is connected as which agent. */
export interface ConnectedAgents {
  /** When each connected process of the agent connected; empty when none is. */
  connectedAt(agentId: number): Promise<readonly Date[]>;
}

/**
 * Asks kas's API listener, as the real main application does.
 *
 * @param address `host:port` of the listener
 * @param secret decoded secret of that listener
 */
export function createConnectedAgents(address: string, secret: Uint8Array): ConnectedAgents {
  const transport = createGrpcTransport({ baseUrl: `http://${address}`, defaultTimeoutMs: 5_000 });
  const client = createClient(AgentTracker, transport);
  return {
    async connectedAt(agentId) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer("gitlab")
        .setAudience("gitlab-kas")
        .setIssuedAt()
        .setNotBefore("-5s")
        .setExpirationTime("60s")
        .sign(secret);
      const { agents } = await client.getConnectedAgents(
        { request: { case: "agentId", value: BigInt(agentId) } },
        { headers: { authorization: `bearer ${token}` } },
      );
      return agents.flatMap((agent) => (agent.connectedAt ? [timestampDate(agent.connectedAt)] : []));
    },
  };
}
