import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import type { EndedSession } from "./end-notice.ts";

/** Beyond, the session that was ended first is forgotten; its cookie was taken from its browser all the same. */
const MAX_REMEMBERED = 50_000;

/**
 * Sessions whose end this process was notified of, until they would have expired: a sealed cookie cannot be taken back from a client that
 * kept a copy of it.
 */
export class EndedSessions {
  readonly #ended: LRUCache<string, true>;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ended = new LRUCache({ max: MAX_REMEMBERED, ttl: 1, ttlResolution: 0, perf: { now: () => clock.now() } });
  }

  /** The session is over. */
  end({ id, expiresAtMs }: EndedSession): void {
    const ttl = Math.ceil(expiresAtMs - this.#clock.now());
    if (ttl > 0) this.#ended.set(id, true, { ttl });
  }

  has(id: string): boolean {
    return this.#ended.has(id);
  }
}
