/** A running call's tie to its session. */
export interface SessionTie {
  /** Aborts when the session is ended on purpose. */
  readonly signal: AbortSignal;
  /** Call it once, at the end of the call. */
  untie(): void;
}

/** Which calls of this process run under which token session, so that signing out ends them. Every method is synchronous. */
export class SessionStreams {
  readonly #running = new Map<string, Set<AbortController>>();

  /** Sessions with running calls. */
  get size(): number {
    return this.#running.size;
  }

  /** A call begins under the session. */
  tie(sessionId: string): SessionTie {
    const ended = new AbortController();
    const calls = this.#running.get(sessionId) ?? new Set();
    this.#running.set(sessionId, calls.add(ended));
    return {
      signal: ended.signal,
      untie: () => {
        calls.delete(ended);
        if (calls.size === 0 && this.#running.get(sessionId) === calls) this.#running.delete(sessionId);
      },
    };
  }

  /** The viewer has signed out: every call of the session ends now. */
  end(sessionId: string): void {
    const calls = this.#running.get(sessionId);
    this.#running.delete(sessionId);
    for (const ended of calls ?? []) ended.abort();
  }
}
