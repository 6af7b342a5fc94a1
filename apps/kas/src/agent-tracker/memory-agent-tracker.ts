import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";

import type { AgentTracker } from "./agent-tracker.ts";

/** The tracker of a kas that is alone: what is connected to this process is all there is. */
export class MemoryAgentTracker implements AgentTracker {
  readonly #connections = new Map<bigint, ConnectedAgentInfo>();
  readonly #listeners = new Set<(agentId: bigint) => void>();

  register(info: ConnectedAgentInfo): void {
    this.#connections.set(info.connectionId, info);
    this.#changed(info.agentId);
  }

  unregister(info: ConnectedAgentInfo): void {
    if (this.#connections.delete(info.connectionId)) this.#changed(info.agentId);
  }

  async byAgent(agentId: bigint): Promise<readonly ConnectedAgentInfo[]> {
    return [...this.#connections.values()].filter((info) => info.agentId === agentId);
  }

  async byProject(projectId: bigint): Promise<readonly ConnectedAgentInfo[]> {
    return [...this.#connections.values()].filter((info) => info.projectId === projectId);
  }

  onChange(listener: (agentId: bigint) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(agentId: bigint): void {
    for (const listener of this.#listeners) listener(agentId);
  }
}
