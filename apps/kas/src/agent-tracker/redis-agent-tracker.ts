import { ConnectedAgentInfoSchema, type ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { KasInstanceInfoSchema, type KasAddress, KasAddressSchema, type KasInstanceInfo } from "@binnacle/proto/kas";
import { ExpiringValueSchema } from "@binnacle/proto/redistool";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, timestampMs } from "@bufbuild/protobuf/wkt";

import { forgetHashField, readHashFields } from "../redis/hash-fields.ts";
import { KeptRecords } from "../redis/kept-records.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import type { AgentTracker, ConnectionFacts } from "./agent-tracker.ts";

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
  /** Those of this kas. */
  readonly #connected = new Map<bigint, ConnectedAgentInfo>();
  /** Where other kas reach this one. */
  readonly #address: KasAddress | undefined;

  constructor(options: RedisAgentTrackerOptions) {
    this.#options = options;
    this.#records = new KeptRecords(options);
    this.#address = kasAddressOf(options.own?.urls ?? []);
  }

  register(connected: ConnectedAgentInfo): void {
    const info = this.#address ? create(ConnectedAgentInfoSchema, { ...connected, kasAddress: this.#address }) : connected;
    this.#connected.set(info.connectionId, info);
    this.#put(info);
  }

  update(connectionId: bigint, facts: ConnectionFacts): void {
    const info = this.#connected.get(connectionId);
    if (info === undefined) return;
    const updated = { ...info, ...facts };
    this.#connected.set(connectionId, updated);
    this.#put(updated);
  }

  #put(info: ConnectedAgentInfo): void {
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
    this.#connected.delete(info.connectionId);
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
      throw new Fault("store_unavailable", "Redis cannot be queried for connected agents", { cause: error });
    }
  }
}

/** A project may have many agents, an agent many replicas; more than this is not looked at. */
const MAX_CONNECTIONS = 10_000;

/** Key of the hash with the connections of an agent. */
export function connectionsOfAgentKey(prefix: string, agentId: bigint): string {
  return `${prefix}:binnacle:1:agent_tracker:conn_by_agent_id:${agentId}`;
}

/** Key of the hash with the connections of all agents of a configuration project. */
export function connectionsOfProjectKey(prefix: string, projectId: bigint): string {
  return `${prefix}:binnacle:1:agent_tracker:conn_by_project_id:${projectId}`;
}

/** A connection as the value of a hash field: protobuf, with its own expiry. */
function encodeConnection(info: ConnectedAgentInfo, expiresAtMs: number): Buffer {
  const value = create(ExpiringValueSchema, { expiresAt: toTimestamp(expiresAtMs), value: anyPack(ConnectedAgentInfoSchema, info) });
  return Buffer.from(toBinary(ExpiringValueSchema, value));
}

/** @returns the connection and when it expires; `undefined` for bytes that are not one */
export function decodeConnection(bytes: Uint8Array): { readonly info: ConnectedAgentInfo; readonly expiresAtMs: number } | undefined {
  try {
    const { expiresAt, value } = fromBinary(ExpiringValueSchema, bytes);
    const info = value && anyUnpack(value, ConnectedAgentInfoSchema);
    return expiresAt && info ? { info, expiresAtMs: timestampMs(expiresAt) } : undefined;
  } catch {
    return undefined;
  }
}

/** Key of the hash with every kas that runs; the field is its random id. */
export function instancesKey(prefix: string): string {
  return `${prefix}:binnacle:1:kas_instances`;
}

/** The address other kas dial, `grpc://host:port` or `grpcs://host:port`; undefined when there is none, or it names no port. */
export function kasAddressOf(urls: readonly string[]): KasAddress | undefined {
  const match = /^grpcs?:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(urls[0] ?? "");
  const ip = match?.[1] ?? match?.[2];
  return ip === undefined ? undefined : create(KasAddressSchema, { ip, port: Number(match?.[3]) });
}

/** A kas as the value of a hash field: protobuf, with its own expiry. */
function encodeInstance(info: KasInstanceInfo, expiresAtMs: number): Buffer {
  const value = create(ExpiringValueSchema, { expiresAt: toTimestamp(expiresAtMs), value: anyPack(KasInstanceInfoSchema, info) });
  return Buffer.from(toBinary(ExpiringValueSchema, value));
}

/** @returns the kas and when it expires; `undefined` for bytes that are not one */
export function decodeInstance(bytes: Uint8Array): { readonly info: KasInstanceInfo; readonly expiresAtMs: number } | undefined {
  try {
    const { expiresAt, value } = fromBinary(ExpiringValueSchema, bytes);
    const info = value && anyUnpack(value, KasInstanceInfoSchema);
    return expiresAt && info ? { info, expiresAtMs: timestampMs(expiresAt) } : undefined;
  } catch {
    return undefined;
  }
}
