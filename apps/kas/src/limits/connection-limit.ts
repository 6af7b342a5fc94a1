import { createHash } from "node:crypto";

import { Fault, type Clock } from "@binnacle/rpc";

const MINUTE_MS = 60_000;
const MAX_TOKENS = 100_000;

/** Counts what a token opens in a minute. Tunnels do not count: each carries one request, and a busy agent opens thousands. */
export class ConnectionLimit {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #opened = new Map<string, { readonly sinceMs: number; count: number }>();

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** @throws Fault `rate_limited` */
  take(token: string): void {
    const key = createHash("sha256").update(token).digest("base64");
    const now = this.#clock.now();
    let entry = this.#opened.get(key);
    if (entry === undefined || now - entry.sinceMs >= MINUTE_MS) {
      entry = { sinceMs: now, count: 0 };
      this.#opened.delete(key);
      this.#opened.set(key, entry);
      // Maps keep their order of insertion: the first is the oldest.
      if (this.#opened.size > MAX_TOKENS) for (const oldest of this.#opened.keys()) if (this.#opened.delete(oldest)) break;
    }
    entry.count += 1;
    if (entry.count > this.#perMinute) {
      const retryAfterSeconds = Math.max(1, Math.ceil((entry.sinceMs + MINUTE_MS - now) / 1_000));
      throw new Fault("rate_limited", "new connection rate limit exhausted for this agent, try again later", { retryAfterSeconds });
    }
  }
}
