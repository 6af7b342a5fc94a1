import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "./at-most.ts";
import { KeyedRateLimit } from "./keyed-rate-limit.ts";

const MINUTE_MS = 60_000;
const MAX_KEYS = 10_000;
/** However many keys a storm has. */
const MAX_LINES_PER_MINUTE = 100;
const ALL = "all";

/** Says when an event that repeats is worth a line: the first of its key in a minute, with how many there were since the last line. */
export class SampledLog {
  readonly #clock: Clock;
  readonly #seen = new LRUCache<string, { loggedAtMs: number; count: number }>(atMost(MAX_KEYS));
  readonly #lines: KeyedRateLimit;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lines = new KeyedRateLimit(clock, { perMinute: MAX_LINES_PER_MINUTE, burst: MAX_LINES_PER_MINUTE, maxKeys: 1 });
  }

  /** @param write called at once or not at all, with the number of events this line stands for */
  event(key: string, write: (count: number) => void): void {
    const now = this.#clock.now();
    const seen = this.#seen.get(key) ?? { loggedAtMs: Number.NEGATIVE_INFINITY, count: 0 };
    this.#seen.set(key, seen);
    seen.count += 1;
    if (now - seen.loggedAtMs < MINUTE_MS || !this.#lines.take(ALL)) return;
    write(seen.count);
    seen.loggedAtMs = now;
    seen.count = 0;
  }
}
