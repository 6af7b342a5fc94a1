import type { Clock } from "@binnacle/rpc";

/** A wait that can be cut short; a ring before the wait is not lost. */
export class Alarm {
  readonly #clock: Clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bound, so that it can be handed out as a callback. */
  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  /** Settles after so long, or at the next ring, or when `signal` aborts. One at a time. */
  async wait(delayMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(delayMs, resolve);
        this.#wake = () => (cancel(), resolve());
        signal.addEventListener("abort", this.#wake, { once: true });
      });
    }
    if (this.#wake !== undefined) signal.removeEventListener("abort", this.#wake);
    this.#wake = undefined;
    this.#rung = false;
  }
}
