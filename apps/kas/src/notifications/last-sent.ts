import type { RedisConnection } from "../redis/redis-connection.ts";

/** The last state that was sent, by topic. Of several kas that notice the same change, the one that finds a different state here sends it. */
export interface LastSent {
  /** Replaces the state of a topic. @returns the previous one; undefined: nothing was sent in a week */
  swap(what: string, word: string): Promise<string | undefined>;
}

/** For a kas that is alone. */
export class LocalLastSent implements LastSent {
  readonly #words = new Map<string, string>();

  async swap(what: string, word: string): Promise<string | undefined> {
    const before = this.#words.get(what);
    this.#words.set(what, word);
    return before;
  }
}

const KEPT_MS = 7 * 86_400_000;

/** In the Redis that all kas share. While it does not answer, each kas uses its own state, so a change may be sent twice. */
export class RedisLastSent implements LastSent {
  readonly #redis: RedisConnection;
  readonly #own = new LocalLastSent();

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async swap(what: string, word: string): Promise<string | undefined> {
    const own = await this.#own.swap(what, word);
    const key = `${this.#redis.keyPrefix}:binnacle:1:notifications:told:${what}`;
    try {
      return (await this.#redis.commands.set(key, word, "PX", KEPT_MS, "GET")) ?? undefined;
    } catch {
      return own;
    }
  }
}
