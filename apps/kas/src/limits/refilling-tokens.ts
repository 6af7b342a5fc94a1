import type { Clock } from "@binnacle/rpc";

/** How fast calls may be made. */
export interface Rate {
  readonly perSecond: number;
  /** Calls at once after a rest. */
  readonly burst: number;
}

/** Sums of fractions may miss a whole number by a hair. */
const HAIR = 1e-9;

/** The arithmetic of a token bucket: who waits for a token, and in which order, is decided elsewhere. A clock that jumps back adds nothing. */
export class RefillingTokens {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #level: number;
  #atMs: number;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#level = rate.burst;
    this.#atMs = clock.now();
  }

  /** Tokens there are now; a fraction is a token in the making. */
  get level(): number {
    const now = this.#clock.now();
    const passedMs = Math.max(0, now - this.#atMs);
    this.#atMs = now;
    this.#level = Math.min(this.#rate.burst, this.#level + (passedMs * this.#rate.perSecond) / 1_000);
    return this.#level;
  }

  has(count: number): boolean {
    return this.level >= count - HAIR;
  }

  /** Takes one; ask `has` first. */
  take(): void {
    this.#level = Math.max(0, this.level - 1);
  }

  /** Returns a token that was taken and not used. */
  giveBack(): void {
    this.#level = Math.min(this.#rate.burst, this.level + 1);
  }

  /** Milliseconds until there are so many, if none is taken. */
  msUntil(count: number): number {
    return Math.max(0, ((count - this.level) * 1_000) / this.#rate.perSecond);
  }
}
