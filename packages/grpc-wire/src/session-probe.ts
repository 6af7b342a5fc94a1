import type { Clock } from "@binnacle/rpc";

import { receivedBytes } from "./keep-alive.ts";

/** What is needed of an `Http2Session`. */
export interface ProbedSession {
  readonly destroyed: boolean;
  readonly socket: { readonly bytesRead: number };
  /** @returns false when too many are under way */
  ping(answered: (error: Error | null) => void): boolean;
}

/**
 * Checks whether the other side of a session is alive: by a ping, at most one at a time for all callers. Every byte that arrives
 * meanwhile is a sign of life too: on a slow line the reply to a ping waits behind data. A process that hangs does not reply,
 * although its kernel still accepts data.
 */
export class SessionProbe {
  readonly #session: ProbedSession;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #asking = new Set<(alive: boolean) => void>();
  #cancelTimer = (): void => {};

  /** @param options `timeoutMs`: silence for so long is no life */
  constructor(session: ProbedSession, options: { readonly clock: Clock; readonly timeoutMs: number }) {
    this.#session = session;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs;
  }

  /** Calls `answer` once, unless the returned function was called before. */
  ask(answer: (alive: boolean) => void): () => void {
    // Each call is one entry, also with the same function.
    const entry = (alive: boolean): void => answer(alive);
    this.#asking.add(entry);
    if (this.#asking.size === 1) this.#begin();
    return () => {
      this.#asking.delete(entry);
      if (this.#asking.size === 0) this.#cancelTimer();
    };
  }

  #begin(): void {
    const session = this.#session;
    const heard = receivedBytes(session);
    this.#cancelTimer = this.#clock.after(this.#timeoutMs, () => this.#settle(receivedBytes(session) > heard));
    // False when too many are under way: then bytes alone count.
    if (!session.destroyed)
      session.ping((error) => {
        if (!error) this.#settle(true);
      });
  }

  #settle(alive: boolean): void {
    this.#cancelTimer();
    const asking = [...this.#asking];
    this.#asking.clear();
    for (const answer of asking) answer(alive);
  }
}
