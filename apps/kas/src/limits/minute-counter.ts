import { createHash } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import type { RedisConnection } from "../redis/redis-connection.ts";
import { atMost } from "./at-most.ts";

const MINUTE_MS = 60_000;
const MAX_KEYS = 65_536;

/** Counts what happens in a minute, by key. */
export interface MinuteCounter {
  /** Counts one more. @returns how many there are in this minute */
  add(key: string): Promise<number>;
}

/** Counts in this process. */
export class LocalMinuteCounter implements MinuteCounter {
  readonly #clock: Clock;
  readonly #counts = new LRUCache<string, number>(atMost(MAX_KEYS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async add(key: string): Promise<number> {
    const now = inMinute(this.#clock, key);
    const count = (this.#counts.get(now) ?? 0) + 1;
    this.#counts.set(now, count);
    return count;
  }
}

/** Counts for all kas together, in Redis. While Redis is unavailable each kas counts on its own: no request is rejected for that. */
export class RedisMinuteCounter implements MinuteCounter {
  readonly #redis: RedisConnection;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #local: LocalMinuteCounter;
  #isAway = false;

  constructor({ redis, clock, log }: { readonly redis: RedisConnection; readonly clock: Clock; readonly log: Logger }) {
    this.#redis = redis;
    this.#clock = clock;
    this.#log = log;
    this.#local = new LocalMinuteCounter(clock);
  }

  async add(key: string): Promise<number> {
    const local = await this.#local.add(key);
    try {
      const { commands, keyPrefix } = this.#redis;
      const digest = createHash("sha256").update(inMinute(this.#clock, key)).digest("base64url");
      const name = `${keyPrefix}:binnacle:1:count:${digest}`;
      // Twice the minute: clocks of kas differ.
      const [counted] =
        (await commands
          .multi()
          .incr(name)
          .pexpire(name, 2 * MINUTE_MS)
          .exec()) ?? [];
      this.#isAway = false;
      return Math.max(local, Number(counted?.[1] ?? 0));
    } catch (error) {
      if (!this.#isAway) this.#log.warn({ error }, "counting for all kas failed; each counts for itself");
      this.#isAway = true;
      return local;
    }
  }
}

function inMinute(clock: Clock, key: string): string {
  return `${Math.floor(clock.now() / MINUTE_MS)} ${key}`;
}
