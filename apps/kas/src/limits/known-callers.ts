import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { KeyedDigest } from "./keyed-digest.ts";
import { atMost } from "./at-most.ts";

const KNOWN_MS = 24 * 3_600_000;
const MAX_CALLERS = 65_536;

/** Callers whose credential the main application accepted within a day: they go before others, and are never refused for their address. */
export class KnownCallers {
  readonly #clock: Clock;
  readonly #digest = new KeyedDigest();
  readonly #acceptedAtMs = new LRUCache<string, number>(atMost(MAX_CALLERS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param credential everything that makes it what it is, its kind first */
  keyOf(credential: readonly string[]): string {
    return this.#digest.of(credential);
  }

  has(key: string): boolean {
    const atMs = this.#acceptedAtMs.get(key);
    return atMs !== undefined && this.#clock.now() - atMs < KNOWN_MS;
  }

  add(key: string): void {
    this.#acceptedAtMs.set(key, this.#clock.now());
  }

  /** It is not good any more. */
  delete(key: string): void {
    this.#acceptedAtMs.delete(key);
  }
}
