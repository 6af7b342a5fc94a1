import type { Clock } from "@binnacle/rpc";

/** Why a long poll of an agent ends without an answer. */
export interface LongPollOptions {
  readonly clock: Clock;
  /** It ends after this long, five per cent more or less: agents that came together do not come back together. */
  readonly maxAgeMs: number;
  /** Aborted when the agent has left. */
  readonly signal: AbortSignal;
  /** Aborted when GOAWAY was sent on the agent's connection: the stream ends cleanly, and the agent repeats the request on its next connection. */
  readonly draining: AbortSignal;
}

/** A wait of an agent for news of a repository. */
export interface LongPoll {
  /** Aborted when the wait is over. */
  readonly ended: AbortSignal;
  close(): void;
}

/** Begins one. Close it. */
export function openLongPoll({ clock, maxAgeMs, signal, draining }: LongPollOptions): LongPoll {
  const age = new AbortController();
  const close = clock.after(maxAgeMs * (0.95 + Math.random() * 0.1), () => age.abort());
  return { ended: AbortSignal.any([signal, draining, age.signal]), close };
}
