import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";

import type { AgentTracker, ConnectionFacts } from "./agent-tracker.ts";

/** The tracker of a kas that is alone: what is connected to this process is all there is. */
export class MemoryAgentTracker implements AgentTracker {
  readonly #connections = new Map<bigint, ConnectedAgentInfo>();

  register(info: ConnectedAgentInfo): void {
    this.#connections.set(info.connectionId, info);
  }

  unregister(info: ConnectedAgentInfo): void {
    this.#connections.delete(info.connectionId);
  }

  update(connectionId: bigint, facts: ConnectionFacts): void {
    const info = this.#connections.get(connectionId);
    if (info) this.#connections.set(connectionId, { ...info, ...facts });
  }

  async byAgent(agentId: bigint): Promise<readonly ConnectedAgentInfo[]> {
    return [...this.#connections.values()].filter((info) => info.agentId === agentId);
  }

  async byProject(projectId: bigint): Promise<readonly ConnectedAgentInfo[]> {
    return [...this.#connections.values()].filter((info) => info.projectId === projectId);
  }
}
