import { ConnectedAgentInfoSchema, type ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { KasInstanceInfoSchema, type KasAddress } from "@binnacle/proto/kas";
import { Fault, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { create } from "@bufbuild/protobuf";

import { forgetHashField, readHashFields } from "../redis/hash-fields.ts";
import { KeptRecords } from "../redis/kept-records.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import type { AgentTracker } from "./agent-tracker.ts";
import { connectionsOfAgentKey, connectionsOfProjectKey, decodeConnection, encodeConnection } from "./connection-record.ts";
import { decodeInstance, encodeInstance, instancesKey, kasAddressOf } from "./instance-record.ts";

/** What the tracker needs. */
export interface RedisAgentTrackerOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long an entry outlives a kas that died. */
  readonly ttlMs: number;
  /** Which kas this is; with its address it stands in Redis beside its agents. Absent in tests that look at agents alone. */
  readonly own?: { readonly kasId: string; readonly urls: readonly string[]; readonly version: string; readonly commit: string };
}

/** The tracker of several kas: one hash per agent and one per project, field = connection id. Entries leave with `close`. */
export class RedisAgentTracker implements AgentTracker, Module {
  readonly name = "agent tracker";
  readonly #options: RedisAgentTrackerOptions;
  readonly #records: KeptRecords;
  /** Where other kas reach this one. */
  readonly #address: KasAddress | undefined;

  constructor(options: RedisAgentTrackerOptions) {
    this.#options = options;
    this.#records = new KeptRecords(options);
    this.#address = kasAddressOf(options.own?.urls ?? []);
  }

  register(connected: ConnectedAgentInfo): void {
    const prefix = this.#options.redis.keyPrefix;
    const info = this.#address ? create(ConnectedAgentInfoSchema, { ...connected, kasAddress: this.#address }) : connected;
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
    this.#sayInstance();
    return this.#records.run(signal);
  }

  /** Says that this kas runs, for as long as it does. */
  #sayInstance(): void {
    const { redis, own } = this.#options;
    if (!own) return;
    const { version, commit } = own;
    const info = create(KasInstanceInfoSchema, { version, commit, ...(this.#address && { address: this.#address }) });
    this.#records.put({
      id: "this kas",
      hashes: [instancesKey(redis.keyPrefix)],
      field: own.kasId,
      encode: (expiresAtMs) => encodeInstance(info, expiresAtMs),
      expiryOf: (value) => decodeInstance(value)?.expiresAtMs,
    });
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
