import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "./at-most.ts";

/** How much each key may do. */
export interface KeyedRate {
  readonly perMinute: number;
  /** At once after a rest. */
  readonly burst: number;
}

const MINUTE_MS = 60_000;

/**
 * A rate limit per key, bounded in keys (the one used longest ago is forgotten): per key one number, the time at which its bucket
 * would be full again (GCRA). Our own, because the limiters to be had count without bound in memory, and by the machine's clock.
 */
export class KeyedRateLimit {
  readonly #clock: Clock;
  readonly #rate: KeyedRate;
  readonly #fullAtMs: LRUCache<string, number>;

  constructor(clock: Clock, options: KeyedRate & { readonly maxKeys: number }) {
    this.#clock = clock;
    this.#rate = options;
    this.#fullAtMs = new LRUCache(atMost(options.maxKeys));
  }

  /** Milliseconds until the key may do one more; 0: now. */
  waitMs(key: string): number {
    const perCallMs = MINUTE_MS / this.#rate.perMinute;
    return Math.max(0, (this.#fullAtMs.get(key) ?? 0) - this.#clock.now() - (this.#rate.burst - 1) * perCallMs);
  }

  /** Counts one; an empty bucket cannot be emptied further. */
  spend(key: string): void {
    const now = this.#clock.now();
    const perCallMs = MINUTE_MS / this.#rate.perMinute;
    const fullAtMs = Math.max(this.#fullAtMs.get(key) ?? 0, now) + perCallMs;
    this.#fullAtMs.set(key, Math.min(fullAtMs, now + this.#rate.burst * perCallMs));
  }

  /** Takes one back that was counted in advance. */
  giveBack(key: string): void {
    const fullAtMs = this.#fullAtMs.get(key);
    if (fullAtMs !== undefined) this.#fullAtMs.set(key, fullAtMs - MINUTE_MS / this.#rate.perMinute);
  }

  /** Counts one if the key may. @returns whether it may */
  take(key: string): boolean {
    if (this.waitMs(key) > 0) return false;
    this.spend(key);
    return true;
  }
}
