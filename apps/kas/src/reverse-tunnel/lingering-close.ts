import type { Clock } from "@binnacle/rpc";

/** The longest watch of an agent that needs this lasts 120 s; its end needs a while to come. */
export const LINGER_MS = 130_000;
/** What one window may have had on its way anyway. */
export const LINGER_BYTES = 1024 * 1024;

/**
 * The end of a tunnel whose caller has left and whose agent must not be reset: what it still sends is thrown away until it ends by itself.
 * An agent that goes on for too long, in time or bytes, is given up.
 */
export class LingeringClose {
  readonly #giveUp: () => void;
  readonly #stop: () => void;
  #bytes = 0;

  /** @param giveUp called at most once, never from here */
  constructor(clock: Clock, giveUp: () => void) {
    this.#giveUp = giveUp;
    this.#stop = clock.after(LINGER_MS, giveUp);
  }

  /** Counts a discarded message. @param bytes of it, inflated */
  discard(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (before <= LINGER_BYTES && this.#bytes > LINGER_BYTES) this.#giveUp();
  }

  /** The tunnel is gone. */
  stop(): void {
    this.#stop();
  }
}
