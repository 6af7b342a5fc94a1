import type { RedisConnection } from "../redis/redis-connection.ts";

/** The agents that were reported as connected, for all kas: each "connected" has a new value. */
export interface PresenceStore {
  current(agentId: bigint): Promise<string | undefined>;
  /** @returns false when another kas was faster */
  enter(agentId: bigint, value: string): Promise<boolean>;
  /** Forgets exactly this value. */
  leave(agentId: bigint, value: string): Promise<void>;
}

/** For a kas that is alone. */
export class LocalPresenceStore implements PresenceStore {
  readonly #values = new Map<bigint, string>();

  async current(agentId: bigint): Promise<string | undefined> {
    return this.#values.get(agentId);
  }

  async enter(agentId: bigint, value: string): Promise<boolean> {
    if (this.#values.has(agentId)) return false;
    this.#values.set(agentId, value);
    return true;
  }

  async leave(agentId: bigint, value: string): Promise<void> {
    if (this.#values.get(agentId) === value) this.#values.delete(agentId);
  }
}

const LEAVE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/** In the Redis that all kas share. */
export class RedisPresenceStore implements PresenceStore {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async current(agentId: bigint): Promise<string | undefined> {
    return (await this.#redis.commands.get(this.#key(agentId))) ?? undefined;
  }

  async enter(agentId: bigint, value: string): Promise<boolean> {
    return (await this.#redis.commands.set(this.#key(agentId), value, "NX")) === "OK";
  }

  async leave(agentId: bigint, value: string): Promise<void> {
    await this.#redis.commands.eval(LEAVE, 1, this.#key(agentId), value);
  }

  #key(agentId: bigint): string {
    return `${this.#redis.keyPrefix}:binnacle:1:notifications:presence:${agentId}`;
  }
}
