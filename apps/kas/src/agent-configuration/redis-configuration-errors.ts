import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";
import { z } from "zod";

import { atMost } from "../limits/at-most.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";
import { LocalConfigurationErrors, type ConfigurationErrors, type ConfigurationState } from "./configuration-errors.ts";

/** What the shared errors need. */
export interface RedisConfigurationErrorsOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a word holds; several polls. */
  readonly ttlMs: number;
}

/** Minimum time between two reads of an agent's state from Redis. */
const ASK_AGAIN_MS = 5_000;
const MAX_REASON_CHARACTERS = 1_000;
const MAX_KNOWN = 10_000;

const stateSchema = z.object({ reason: z.string().max(MAX_REASON_CHARACTERS), lastGoodCommit: z.string().max(64) });

/** The errors of all kas: the one that has an agent's configuration stream writes them, the one that answers for the agent reads them. */
export class RedisConfigurationErrors implements ConfigurationErrors {
  readonly #options: RedisConfigurationErrorsOptions;
  readonly #own: LocalConfigurationErrors;
  readonly #known = new LRUCache<bigint, { readonly atMs: number; readonly state: Promise<ConfigurationState | undefined> }>(
    atMost(MAX_KNOWN),
  );

  constructor(options: RedisConfigurationErrorsOptions) {
    this.#options = options;
    this.#own = new LocalConfigurationErrors(options.clock, options.ttlMs);
  }

  set(agentId: bigint, state: ConfigurationState): void {
    this.#own.set(agentId, state);
    this.#known.delete(agentId);
    const text = JSON.stringify({ ...state, reason: state.reason.slice(0, MAX_REASON_CHARACTERS) });
    this.#written(this.#options.redis.commands.set(this.#keyOf(agentId), text, "PX", this.#options.ttlMs));
  }

  clear(agentId: bigint): void {
    this.#own.clear(agentId);
    this.#known.delete(agentId);
    this.#written(this.#options.redis.commands.del(this.#keyOf(agentId)));
  }

  async get(agentId: bigint): Promise<ConfigurationState | undefined> {
    const own = this.#own.get(agentId);
    if (own !== undefined) return own;
    const now = this.#options.clock.now();
    const known = this.#known.get(agentId);
    if (known !== undefined && now - known.atMs < ASK_AGAIN_MS) return known.state;
    const state = this.#read(agentId);
    this.#known.set(agentId, { atMs: now, state });
    return state;
  }

  async #read(agentId: bigint): Promise<ConfigurationState | undefined> {
    try {
      const text = await this.#options.redis.commands.get(this.#keyOf(agentId));
      return text === null ? undefined : stateSchema.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined; // Redis is unavailable, or the value is no state: the header is best effort
    }
  }

  #keyOf(agentId: bigint): string {
    return `${this.#options.redis.keyPrefix}:binnacle:1:configuration_error:${agentId}`;
  }

  #written(write: Promise<unknown>): void {
    write.catch((error: unknown) => this.#options.log.debug({ error }, "sharing a configuration error failed; the next poll tries again"));
  }
}
