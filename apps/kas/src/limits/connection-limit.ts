import { Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { KeyedDigest } from "./keyed-digest.ts";
import { atMost } from "./at-most.ts";

const MINUTE_MS = 60_000;
const MAX_TOKENS = 65_536;
/** An agent uses one token, another client may use a few; the count of a session with more tokens starts again. */
const MAX_TOKENS_OF_SESSION = 16;

/**
 * Counts what a token opens in a minute: connections and configuration streams. Tunnels do not count: each carries one request, and a
 * busy agent opens thousands.
 */
export class ConnectionLimit {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #digest = new KeyedDigest();
  readonly #opened = new LRUCache<string, { readonly sinceMs: number; count: number }>(atMost(MAX_TOKENS));
  readonly #ofSession = new WeakMap<object, Set<string>>();

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Counts one. Call it for tokens that are good: made-up ones would push them out. @throws Fault `rate_limited` */
  take(token: string): void {
    const key = this.#digest.of([token]);
    const now = this.#clock.now();
    let entry = this.#opened.get(key);
    if (entry === undefined || now - entry.sinceMs >= MINUTE_MS) {
      entry = { sinceMs: now, count: 0 };
      this.#opened.set(key, entry);
    }
    entry.count += 1;
    if (entry.count > this.#perMinute) {
      const retryAfterSeconds = Math.max(1, Math.ceil((entry.sinceMs + MINUTE_MS - now) / 1_000));
      throw new Fault("rate_limited", "new connection rate limit exhausted for this agent, try again later", { retryAfterSeconds });
    }
  }

  /**
   * Counts one when this connection shows this token for the first time. A connection that was refused counts again when it tries again.
   *
   * @param session the connection; it is remembered as long as it lives
   * @throws Fault `rate_limited`
   */
  takeOnce(session: object, token: string): void {
    let shown = this.#ofSession.get(session);
    // A token as it stands: the connection itself holds it too.
    if (shown?.has(token) === true) return;
    this.take(token);
    if (shown === undefined || shown.size >= MAX_TOKENS_OF_SESSION) this.#ofSession.set(session, (shown = new Set()));
    shown.add(token);
  }
}
