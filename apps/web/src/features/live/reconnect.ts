import { Code, ConnectError } from "@connectrpc/connect";

/** What a stream needs to be followed for ever. */
export interface Followed<M> {
  /** Opens the stream; must end when `signal` aborts. */
  readonly open: (signal: AbortSignal) => AsyncIterable<M>;
  /** Takes one message. `false` ends the following: another try could not help. */
  readonly take: (message: M) => boolean;
  /** The stream broke, or ended, and is tried again soon. */
  readonly lost: (reason: string) => void;
  /** The session is over; following has ended. */
  readonly unauthenticated: () => void;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Heartbeats come every 15 s at most; a stream silent for this long is dead although its socket may not know. */
const SILENCE_MS = 40_000;

/**
 * Follows a stream until it says that it is over or `signal` aborts; reconnects with capped, jittered backoff.
 * (`Backoff` of `@binnacle/rpc` is a kit: what reaches the browser imports pure packages only.)
 */
export async function followStream<M>(followed: Followed<M>, signal: AbortSignal): Promise<void> {
  let attempt = 0;
  while (!signal.aborted) {
    let reason = "the server ended the stream";
    try {
      for await (const message of withSilenceLimit(followed.open, signal)) {
        attempt = 0;
        if (!followed.take(message)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const fault = ConnectError.from(error);
      if (fault.code === Code.Unauthenticated) return followed.unauthenticated();
      reason = fault.rawMessage;
    }
    const retryMs = retryDelayMs(attempt, Math.random());
    attempt += 1;
    followed.lost(reason);
    await pause(retryMs, signal);
  }
}

/** Milliseconds before try number `attempt` + 1; between half of the bound and the bound. */
export function retryDelayMs(attempt: number, random: number): number {
  const bound = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 10));
  return bound / 2 + (random * bound) / 2;
}

async function* withSilenceLimit<M>(open: Followed<M>["open"], signal: AbortSignal): AsyncIterable<M> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(stop, SILENCE_MS);
  try {
    for await (const message of open(own.signal)) {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
      yield message;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    own.abort();
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    addEventListener("online", done);
    signal.addEventListener("abort", done, { once: true });
  });
}
