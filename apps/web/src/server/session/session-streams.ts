import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import type { TokenSession } from "./session-seal.ts";

/** As often as rights are proved. */
const PROOF_INTERVAL_MS = 30_000;

/** What a session is known by while calls run under it. */
type RunningSession = Pick<TokenSession, "id" | "expiresAtMs" | "keyId">;

/** A running call's tie to its session. */
export interface SessionTie {
  /** Aborts when the session is over. */
  readonly signal: AbortSignal;
  /** Call it once, at the end of the call. */
  untie(): void;
}

/** What the calls are held against. */
export interface SessionStreamsOptions {
  readonly clock: Clock;
  /** Whether a new request with the session's cookie would be accepted. */
  readonly isGood: (session: RunningSession) => boolean;
  /** A session is over: nothing may be done with its credential from now on. */
  readonly over: (sessionId: string) => void;
}

/**
 * Which calls of this process run under which token session, so that signing out ends them at once, and the end of its twelve hours or of
 * its key within 30 s.
 */
export class SessionStreams {
  readonly #running = new Map<string, { readonly session: RunningSession; readonly calls: Set<AbortController> }>();
  readonly #options: SessionStreamsOptions;
  #cancelProof: (() => void) | undefined;

  constructor(options: SessionStreamsOptions) {
    this.#options = options;
  }

  /** Sessions with running calls. */
  get size(): number {
    return this.#running.size;
  }

  /** A call begins under the session. */
  tie(session: RunningSession): SessionTie {
    const ended = new AbortController();
    const running = this.#running.get(session.id) ?? { session, calls: new Set() };
    this.#running.set(session.id, running);
    running.calls.add(ended);
    this.#cancelProof ??= this.#options.clock.after(PROOF_INTERVAL_MS, () => this.#prove());
    return {
      signal: ended.signal,
      untie: () => {
        running.calls.delete(ended);
        if (running.calls.size === 0 && this.#running.get(session.id) === running) this.#running.delete(session.id);
        this.#rest();
      },
    };
  }

  /** The session is over: every call of it ends now. */
  end(sessionId: string): void {
    this.#options.over(sessionId);
    const running = this.#running.get(sessionId);
    this.#running.delete(sessionId);
    for (const ended of running?.calls ?? []) ended.abort();
    this.#rest();
  }

  #prove(): void {
    this.#cancelProof = this.#options.clock.after(PROOF_INTERVAL_MS, () => this.#prove());
    for (const { session } of this.#running.values()) if (!this.#options.isGood(session)) this.end(session.id);
  }

  #rest(): void {
    if (this.#running.size > 0) return;
    this.#cancelProof?.();
    this.#cancelProof = undefined;
  }
}

/** Sessions of which the end is passed on; beyond, that of the one used longest ago is found by each process itself. */
const MAX_GOOD = 20_000;

/**
 * Sessions of the main application, and tokens of programs, by their names: the end that one call finds ends what runs under it, and is sent
 * once. The end of a name that was never good is none, so that made-up cookies have no effect on other processes.
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
