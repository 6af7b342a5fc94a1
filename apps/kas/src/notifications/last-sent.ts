import type { RedisConnection } from "../redis/redis-connection.ts";

/** What was told last of something. Of several kas that hear of the same change, the one that finds another word here tells it. */
export interface LastSent {
  /** Puts a word in the place of the one before. @returns that one; undefined: nothing was told in a week */
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

/** In the Redis that all kas share; while it does not answer each kas goes by what it knows: rather twice than never. */
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
