import type { Clock } from "@binnacle/rpc";

/** Why an agent's newest configuration is broken, and which one stays in force. */
export interface ConfigurationState {
  readonly reason: string;
  /** Commit of the last good configuration; empty when there is none. */
  readonly lastGoodCommit: string;
}

/**
 * The broken configurations of agents. The stream that reads a configuration reports it again at each poll; a report that is not
 * repeated expires, so an agent that moved to another kas leaves no state.
 */
export interface ConfigurationErrors {
  set(agentId: bigint, state: ConfigurationState): void;
  clear(agentId: bigint): void;
  /** Never rejects: without an answer of the store, what this process knows. */
  get(agentId: bigint): ConfigurationState | undefined | Promise<ConfigurationState | undefined>;
}

/** Those that this process has read itself. */
export class LocalConfigurationErrors implements ConfigurationErrors {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #byAgent = new Map<bigint, { readonly state: ConfigurationState; readonly untilMs: number }>();

  /** @param ttlMs how long a word holds; several polls */
  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  set(agentId: bigint, state: ConfigurationState): void {
    this.#byAgent.set(agentId, { state, untilMs: this.#clock.now() + this.#ttlMs });
  }

  clear(agentId: bigint): void {
    this.#byAgent.delete(agentId);
  }

  get(agentId: bigint): ConfigurationState | undefined {
    const entry = this.#byAgent.get(agentId);
    if (entry === undefined || entry.untilMs > this.#clock.now()) return entry?.state;
    this.#byAgent.delete(agentId);
    return undefined;
  }
}
