import { Code, ConnectError } from "@connectrpc/connect";
import { retryDelayMs } from "./retry-delay.ts";

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
  /** Whether an end of the stream, or an error, is final, so that it is not opened again; absent: none is. @param error absent for an end */
  readonly isFinal?: (error: ConnectError | undefined) => boolean;
}

/** Heartbeats come every 15 s at most; a stream silent for this long is dead although its socket may not know. */
const SILENCE_MS = 40_000;
/** How often a stream looks whether the machine has slept, and for how long: the server has given up the connections of one that did. */
const LOOK_MS = 5_000;
const SLEPT_MS = 20_000;

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
      if (!signal.aborted && followed.isFinal?.(undefined) === true) return;
    } catch (error) {
      if (signal.aborted) return;
      const fault = ConnectError.from(error);
      if (fault.code === Code.Unauthenticated) return followed.unauthenticated();
      if (followed.isFinal?.(fault) === true) return;
      reason = fault.rawMessage;
    }
    if (signal.aborted) return;
    const retryMs = retryDelayMs(attempt, Math.random());
    attempt += 1;
    followed.lost(reason);
    await pause(retryMs, signal);
  }
}

async function* withSilenceLimit<M>(open: Followed<M>["open"], signal: AbortSignal): AsyncIterable<M> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(stop, SILENCE_MS);
  const aheadMs = wallAheadMs();
  const looking = setInterval(() => {
    if (wallAheadMs() - aheadMs > SLEPT_MS) stop();
  }, LOOK_MS);
  try {
    for await (const message of open(own.signal)) {
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE_MS);
      yield message;
    }
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
    signal.removeEventListener("abort", stop);
    own.abort();
  }
}

/** The clock on the wall goes on while a machine sleeps, the clock of timers does not (where it does, they are due at once). */
function wallAheadMs(): number {
  return Date.now() - performance.now();
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
