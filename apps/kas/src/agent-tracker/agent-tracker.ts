import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";

/** What becomes known of a connected process while it is connected. */
export type ConnectionFacts = Partial<Pick<ConnectedAgentInfo, "latency" | "configurationCommit">>;

/** Who is connected where: every `GetConfiguration` stream of every kas. */
export interface AgentTracker {
  /** Records an agentk process connected to this kas; kept alive until `unregister`. Synchronous: the store is written behind it. */
  register(info: ConnectedAgentInfo): void;
  unregister(info: ConnectedAgentInfo): void;
  /** Something else is known of a process that is registered here; ignored for any other. */
  update(connectionId: bigint, facts: ConnectionFacts): void;
  /** Connected processes of an agent, on all kas. @throws Fault `store_unavailable` */
  byAgent(agentId: bigint): Promise<readonly ConnectedAgentInfo[]>;
  /** Connected processes of all agents of a configuration project, on all kas. @throws Fault `store_unavailable` */
  byProject(projectId: bigint): Promise<readonly ConnectedAgentInfo[]>;
}
