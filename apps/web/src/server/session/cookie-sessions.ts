import { LRUCache } from "lru-cache";

import type { SessionTie } from "./session-streams.ts";

/** Sessions of which the end is passed on; beyond, that of the one used longest ago is found by each process itself. */
const MAX_GOOD = 20_000;

/**
 * Sessions of the main application, by their names: the end that one call finds ends what runs under it, and is told once. The end of a name
 * that was never good is none, so that made-up cookies have no effect on other processes.
 */
export class CookieSessions {
  readonly #good = new LRUCache<string, true>({ max: MAX_GOOD });
  readonly #running = new Map<string, Set<AbortController>>();
  readonly #tell: (name: string) => void;

  /** @param tell passes the end of a session on */
  constructor(tell: (name: string) => void) {
    this.#tell = tell;
  }

  /** The main application has answered as the viewer of this session. */
  seen(name: string): void {
    this.#good.set(name, true);
  }

  /** The session is over, as the main application or its browser says. */
  end(name: string): void {
    if (!this.#good.delete(name)) return;
    this.abort(name);
    this.#tell(name);
  }

  /** Ends what runs under the session in this process. */
  abort(name: string): void {
    this.#good.delete(name);
    const running = this.#running.get(name);
    this.#running.delete(name);
    for (const ended of running ?? []) ended.abort();
  }

  /** A socket or a stream of logs begins under the session. */
  tie(name: string): SessionTie {
    const ended = new AbortController();
    const running = this.#running.get(name) ?? new Set();
    this.#running.set(name, running);
    running.add(ended);
    return {
      signal: ended.signal,
      untie: () => {
        running.delete(ended);
        if (running.size === 0 && this.#running.get(name) === running) this.#running.delete(name);
      },
    };
  }
}
