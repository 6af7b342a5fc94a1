/** Why an agent's newest configuration is broken, and which one stays in force. */
export interface ConfigurationState {
  readonly reason: string;
  /** Commit of the last good configuration; empty when there is none. */
  readonly lastGoodCommit: string;
}

/** The broken configurations this kas knows of. One owner: the configuration service writes, the Kubernetes proxy reads. */
export class ConfigurationErrors {
  readonly #byAgent = new Map<bigint, ConfigurationState>();

  set(agentId: bigint, state: ConfigurationState): void {
    this.#byAgent.set(agentId, state);
  }

  clear(agentId: bigint): void {
    this.#byAgent.delete(agentId);
  }

  get(agentId: bigint): ConfigurationState | undefined {
    return this.#byAgent.get(agentId);
  }
}
