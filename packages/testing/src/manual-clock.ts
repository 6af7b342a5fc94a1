import type { Clock } from "@binnacle/rpc";

import { pollUntil, realMs, settle } from "./settle.ts";

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

/** So many steps of `advanceUntil` pass per millisecond of the real clock at most. */
const STEPS_PER_REAL_MS = 10;

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #nowMs: number;

  /** @param nowMs milliseconds since the epoch */
  constructor(nowMs = 1_800_000_000_000) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on, and fires what is due in order of time, without a turn of the event loop in between. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    while (this.#fireNext(untilMs));
    this.#nowMs = untilMs;
  }

  /** Moves on as time does: promises settle before, between and after any two timers. */
  async elapse(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await settle();
    while (this.#fireNext(untilMs)) await settle();
    this.#nowMs = untilMs;
  }

  /**
   * Moves on in steps until `condition` holds. Between two steps sockets have their turn, and a real millisecond passes after every ten: on
   * a busy machine virtual time would otherwise pass deadlines before an answer that is on its way could arrive.
   *
   * @param stepMs default 10
   * @param seen printed beside the condition when the wait times out
   * @throws Error as `until`
   */
  advanceUntil(condition: () => boolean, stepMs = 10, seen?: () => unknown): Promise<void> {
    const pause = async (turn: number): Promise<void> => {
      await (turn % STEPS_PER_REAL_MS === STEPS_PER_REAL_MS - 1 ? realMs(1) : settle());
      this.advance(stepMs);
    };
    return pollUntil(condition, { pause, seen });
  }

  /** Call it after everything has been stopped. @throws Error when a timer was left behind */
  assertIdle(): void {
    if (this.#timers.size > 0) throw new Error(`${this.#timers.size} timers were left behind`);
  }

  /** @returns false when nothing is due */
  #fireNext(untilMs: number): boolean {
    const due = [...this.#timers].filter((timer) => timer.atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!due) return false;
    this.#timers.delete(due);
    this.#nowMs = Math.max(this.#nowMs, due.atMs);
    due.action();
    return true;
  }
}
