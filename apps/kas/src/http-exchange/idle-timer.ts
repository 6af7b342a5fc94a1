import type { Clock } from "@binnacle/rpc";

/**
 * Calls back when nothing has happened for a while. Progress only records the time, so that it may be reported for every piece
 * of a body; the timer looks at the note when it fires.
 */
export class IdleTimer {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  #limitMs = 0;
  #sinceMs = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, onIdle: () => void) {
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  /** Waits from now on. */
  start(limitMs: number): void {
    this.stop();
    this.#limitMs = limitMs;
    this.touch();
    this.#cancel = this.#clock.after(limitMs, () => this.#look());
  }

  /** Something has happened. */
  touch(): void {
    this.#sinceMs = this.#clock.now();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look(): void {
    this.#cancel = undefined;
    const now = this.#clock.now();
    // The clock was set back: what has happened since is not known any more.
    if (now < this.#sinceMs) this.#sinceMs = now;
    const leftMs = this.#limitMs - (now - this.#sinceMs);
    if (leftMs <= 0) return this.#onIdle();
    this.#cancel = this.#clock.after(leftMs, () => this.#look());
  }
}
