import { TerminalEnd } from "@binnacle/proto/dashboard";
import { sleep, type Clock } from "@binnacle/rpc";

import type { Ended } from "./terminal-end.ts";
import type { Features } from "../config/features.ts";

/** What the time of a terminal is measured with. */
interface TimeContext {
  readonly clock: Clock;
  readonly features: Features;
}

/** How long a terminal lasts, in all and without input or output. */
export class TerminalTime {
  readonly #clock: Clock;
  readonly #limits: Features["terminal_session"];
  readonly #startedMs: number;
  #usedMs: number;

  /** It begins now. */
  constructor({ clock, features }: TimeContext) {
    this.#clock = clock;
    this.#limits = features.terminal_session;
    this.#startedMs = clock.now();
    this.#usedMs = this.#startedMs;
  }

  get durationMs(): number {
    return this.#clock.now() - this.#startedMs;
  }

  /** There was input or output. */
  used(): void {
    this.#usedMs = this.#clock.now();
  }

  /** Settles when the time is over, or with `undefined` when `signal` aborts. */
  async untilOver(signal: AbortSignal): Promise<Ended | undefined> {
    const { idle_timeout: idleMs, max_duration: maxMs } = this.#limits;
    while (!signal.aborted) {
      const now = this.#clock.now();
      const [idleLeftMs, leftMs] = [this.#usedMs + idleMs - now, this.#startedMs + maxMs - now];
      if (leftMs <= 0) return { end: TerminalEnd.TOO_LONG };
      if (idleLeftMs <= 0) return { end: TerminalEnd.IDLE };
      await sleep(this.#clock, Math.min(idleLeftMs, leftMs), signal);
    }
    return undefined;
  }
}
