import type { Clock } from "@binnacle/rpc";
import type { Secret } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

const MAX_SESSIONS = 10_000;
/** Twice as long as tokens are used before they are renewed: no connected page waits longer. */
const UNUSED_MS = 10 * 60_000;

/** What pages of the main application gave away for one of its sessions. */
export interface SessionTokens {
  readonly csrfToken: Secret;
  readonly csrfAtMs: number;
  /** What opens the k8s-proxy. */
  readonly kas: { readonly cookie: Secret; readonly csrfToken: Secret; readonly atMs: number } | undefined;
}

/**
 * Tokens of the cookie way by session. Nothing depends on them: what is dropped, here or because another process serves the page, is
 * requested from the main application again. Bounded; what is unused for ten minutes is dropped.
 */
export class PageTokens {
  readonly #tokens: LRUCache<string, SessionTokens>;

  constructor(clock: Clock) {
    const perf = { now: () => clock.now() };
    this.#tokens = new LRUCache({ max: MAX_SESSIONS, ttl: UNUSED_MS, updateAgeOnGet: true, ttlResolution: 0, perf });
  }

  get(key: string): SessionTokens | undefined {
    return this.#tokens.get(key);
  }

  set(key: string, tokens: SessionTokens): void {
    this.#tokens.set(key, tokens);
  }
}
