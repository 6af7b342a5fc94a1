import { Agents } from "@binnacle/proto/dashboard-agents";
import { createClient, type Client } from "@connectrpc/connect";
import { queryOptions } from "@tanstack/react-query";

import { createRpcTransport } from "../live/rpc-transport.ts";

let client: Client<typeof Agents> | undefined;

/** The client of agents of this page. */
export function agentsClient(): Client<typeof Agents> {
  client ??= createClient(Agents, createRpcTransport());
  return client;
}

/** Names an agent. */
export interface AgentNames {
  readonly projectPath: string;
  readonly name: string;
}

const REFETCH_MS = 30_000;

/** The agents of a project. */
export function agentsQuery(projectPath: string) {
  return queryOptions({
    queryKey: ["agents", projectPath],
    queryFn: ({ signal }) => agentsClient().listAgents({ projectPath }, { signal }),
    refetchInterval: REFETCH_MS,
  });
}

/** One agent. */
export function agentQuery({ projectPath, name }: AgentNames) {
  return queryOptions({
    queryKey: ["agent", projectPath, name],
    queryFn: ({ signal }) => agentsClient().getAgent({ projectPath, name }, { signal }),
    refetchInterval: REFETCH_MS,
  });
}

/** Who the viewer is in the agent's cluster; asked again when other processes are connected, and when the configuration is another. */
export function accessQuery({ projectPath, name }: AgentNames, connected: string) {
  return queryOptions({
    queryKey: ["agent-access", projectPath, name, connected],
    queryFn: ({ signal }) => agentsClient().getAgentAccess({ projectPath, name }, { signal }),
    enabled: connected !== "",
    // An agent that has just connected becomes usable when the main application has its configuration.
    refetchInterval: 5_000,
  });
}
