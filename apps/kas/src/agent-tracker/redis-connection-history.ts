import { randomBytes } from "node:crypto";

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { AgentConnectionSchema, type AgentConnection } from "@binnacle/proto/kas-agents";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { listenToHints, sayHint } from "../redis/hint-channel.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import {
  AgentListeners,
  completeSince,
  connectionOf,
  HISTORY_MS,
  lastEventMs,
  MAX_CONNECTIONS_OF_HISTORY,
  type ConnectionHistory,
  type HistoryOfAgent,
} from "./connection-history.ts";

/** What the history needs. */
export interface RedisConnectionHistoryOptions {
  /** Listened to until it is closed. */
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** Name of this kas. */
  readonly kas: string;
}

/** Writes that wait while Redis is unavailable; beyond it the oldest is dropped, and the history of all begins anew. */
const MAX_PENDING = 5_000;

interface PendingWrite {
  readonly agentId: bigint;
  readonly connection: AgentConnection;
  /** What this one replaces. */
  readonly before?: AgentConnection;
}

/**
 * The history of several kas: one sorted set per agent, scored by the last event of each connection, and the time since when events are
 * recorded at all, which a Redis that lost its data loses, too.
 */
export class RedisConnectionHistory implements ConnectionHistory {
  readonly #options: RedisConnectionHistoryOptions;
  readonly #listeners = new AgentListeners();
  readonly #own = `${randomBytes(8).toString("hex")}:`;
  #pending: PendingWrite[] = [];
  #dropped = false;
  #flushing: Promise<void> | undefined;

  constructor(options: RedisConnectionHistoryOptions) {
    this.#options = options;
    const { redis } = options;
    listenToHints(redis, this.#channel, {
      hinted: (message) => {
        const [, agentId = ""] = message.split(":");
        if (!message.startsWith(this.#own) && /^\d{1,19}$/.test(agentId)) this.#listeners.notify(BigInt(agentId));
      },
      listening: () => this.#listeners.notifyAll(),
    });
    redis.commands.on("ready", () => void this.flushed());
  }

  connected(info: ConnectedAgentInfo): void {
    this.#write({ agentId: info.agentId, connection: connectionOf(info, this.#options.kas) });
  }

  disconnected(info: ConnectedAgentInfo): void {
    const { kas, clock } = this.#options;
    this.#write({ agentId: info.agentId, connection: connectionOf(info, kas, clock.now()), before: connectionOf(info, kas) });
  }

  async of(agentId: bigint): Promise<HistoryOfAgent> {
    const { redis, clock } = this.#options;
    const nowMs = clock.now();
    try {
      const key = historyKey(redis.keyPrefix, agentId);
      const [values, begunMs] = await Promise.all([
        redis.commands.zrangebyscoreBuffer(key, nowMs - HISTORY_MS, "+inf"),
        this.#begun(nowMs),
      ]);
      const connections = values.flatMap(decode).toReversed().slice(0, MAX_CONNECTIONS_OF_HISTORY);
      return { connections, sinceMs: completeSince(connections, begunMs, nowMs) };
    } catch (error) {
      throw new Fault("store_unavailable", "Redis cannot be queried for the connections of an agent", { cause: error });
    }
  }

  onChange(agentId: bigint, listener: () => void): () => void {
    return this.#listeners.add(agentId, listener);
  }

  /** Settles once what was recorded so far has been written, or writing has failed. */
  flushed(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  #write(write: PendingWrite): void {
    if (this.#pending.push(write) > MAX_PENDING) {
      this.#pending.shift();
      this.#dropped = true;
    }
    void this.flushed();
  }

  async #flush(): Promise<void> {
    const { redis, clock, log } = this.#options;
    while (this.#pending.length > 0 && redis.commands.status === "ready") {
      const [write] = this.#pending;
      if (write === undefined) return;
      const { agentId, connection, before } = write;
      const key = historyKey(redis.keyPrefix, agentId);
      const nowMs = clock.now();
      const transaction = redis.commands.multi();
      if (before !== undefined) transaction.zrem(key, encode(before));
      transaction
        .zadd(key, lastEventMs(connection), encode(connection))
        .zremrangebyscore(key, "-inf", nowMs - HISTORY_MS)
        .zremrangebyrank(key, 0, -MAX_CONNECTIONS_OF_HISTORY - 1)
        .pexpire(key, HISTORY_MS);
      if (this.#dropped) transaction.set(begunKey(redis.keyPrefix), String(nowMs));
      else transaction.set(begunKey(redis.keyPrefix), String(nowMs), "NX");
      try {
        await transaction.exec();
      } catch (error) {
        log.warn({ error, pending: this.#pending.length }, "recording connections of agents failed; the next one tries again");
        return;
      }
      this.#dropped = false;
      this.#pending = this.#pending.filter((each) => each !== write);
      this.#listeners.notify(agentId);
      sayHint(redis, this.#channel, `${this.#own}${agentId}`);
    }
  }

  async #begun(nowMs: number): Promise<number> {
    const { commands, keyPrefix } = this.#options.redis;
    const key = begunKey(keyPrefix);
    const [, stored] = await Promise.all([commands.set(key, String(nowMs), "NX"), commands.get(key)]);
    const begunMs = Number(stored ?? nowMs);
    return Number.isSafeInteger(begunMs) ? begunMs : nowMs;
  }

  get #channel(): string {
    return `${this.#options.redis.keyPrefix}:binnacle:1:agent_connections`;
  }
}

/** Key of the sorted set with the connections of an agent. */
export function historyKey(prefix: string, agentId: bigint): string {
  return `${prefix}:binnacle:1:agent_history:${agentId}`;
}

/** Key of the time since when connections are recorded. */
function begunKey(prefix: string): string {
  return `${prefix}:binnacle:1:agent_history_since`;
}

function encode(connection: AgentConnection): Buffer {
  return Buffer.from(toBinary(AgentConnectionSchema, connection));
}

function decode(bytes: Uint8Array): AgentConnection[] {
  try {
    return [fromBinary(AgentConnectionSchema, bytes)];
  } catch {
    return []; // perhaps of a newer version
  }
}
