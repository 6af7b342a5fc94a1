import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { Fault, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { forgetHashField, readHashFields } from "../redis/hash-fields.ts";
import { KeptRecords } from "../redis/kept-records.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import type { AgentTracker } from "./agent-tracker.ts";
import { connectionsOfAgentKey, connectionsOfProjectKey, decodeConnection, encodeConnection } from "./connection-record.ts";

/** What the tracker needs. */
export interface RedisAgentTrackerOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long an entry outlives a kas that died. */
  readonly ttlMs: number;
}

/** The tracker of several kas: one hash per agent and one per project, field = connection id. Entries leave with `close`. */
export class RedisAgentTracker implements AgentTracker, Module {
  readonly name = "agent tracker";
  readonly #options: RedisAgentTrackerOptions;
  readonly #records: KeptRecords;

  constructor(options: RedisAgentTrackerOptions) {
    this.#options = options;
    this.#records = new KeptRecords(options);
  }

  register(info: ConnectedAgentInfo): void {
    const prefix = this.#options.redis.keyPrefix;
    this.#records.put({
      id: String(info.connectionId),
      hashes: [connectionsOfAgentKey(prefix, info.agentId), connectionsOfProjectKey(prefix, info.projectId)],
      field: String(info.connectionId),
      encode: (expiresAtMs) => encodeConnection(info, expiresAtMs),
      expiryOf: (value) => decodeConnection(value)?.expiresAtMs,
    });
  }

  unregister(info: ConnectedAgentInfo): void {
    this.#records.remove(String(info.connectionId));
  }

  byAgent(agentId: bigint): Promise<readonly ConnectedAgentInfo[]> {
    return this.#read(connectionsOfAgentKey(this.#options.redis.keyPrefix, agentId));
  }

  byProject(projectId: bigint): Promise<readonly ConnectedAgentInfo[]> {
    return this.#read(connectionsOfProjectKey(this.#options.redis.keyPrefix, projectId));
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#records.run(signal);
  }

  close(): Promise<void> {
    return this.#records.close();
  }

  /** Settles once what was registered so far has been written, or writing has failed. */
  flushed(): Promise<void> {
    return this.#records.flushed();
  }

  async #read(key: string): Promise<readonly ConnectedAgentInfo[]> {
    const { redis, clock } = this.#options;
    try {
      const found: ConnectedAgentInfo[] = [];
      for (const field of await readHashFields(redis.commands, key, MAX_CONNECTIONS)) {
        const entry = decodeConnection(field.value);
        if (!entry) continue; // unreadable: perhaps of a newer version, so it is not ours to delete
        if (entry.expiresAtMs > clock.now()) found.push(entry.info);
        else forgetHashField(redis.commands, key, field);
      }
      return found;
    } catch (error) {
      throw new Fault("store_unavailable", "Redis cannot be asked which agents are connected", { cause: error });
    }
  }
}

/** A project may have many agents, an agent many replicas; more than this is not looked at. */
const MAX_CONNECTIONS = 10_000;
