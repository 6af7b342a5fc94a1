import type { Clock } from "@binnacle/rpc";

/** When a reader stalls, and what happens then. */
export interface StallGuardOptions {
  readonly clock: Clock;
  /** Whether others need what this reader holds. */
  readonly isShort: () => boolean;
  /** Ends the stream from outside: the generator stands still at its `yield`. */
  readonly onStall: () => void;
}

/** docs/design/limits.md "Silence": a reader that stalls. */
const SHORT_STALL_MS = 60_000;
const LONGEST_STALL_MS = 600_000;

/** The messages as they come; a reader that does not take one is cut after a minute if bytes are short, else after ten. */
export async function* withoutStalls<T>(messages: AsyncGenerator<T, void>, options: StallGuardOptions): AsyncGenerator<T, void> {
  for await (const message of messages) {
    const cancel = guard(options);
    try {
      yield message;
    } finally {
      cancel();
    }
  }
}

function guard({ clock, isShort, onStall }: StallGuardOptions): () => void {
  let waitedMs = 0;
  let cancel = (): void => undefined;
  const wait = (): void => {
    cancel = clock.after(SHORT_STALL_MS, () => {
      waitedMs += SHORT_STALL_MS;
      if (waitedMs >= LONGEST_STALL_MS || isShort()) onStall();
      else wait();
    });
  };
  wait();
  return () => cancel();
}
