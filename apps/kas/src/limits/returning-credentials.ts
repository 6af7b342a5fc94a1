import type { Clock } from "@binnacle/rpc";

/** Of each generation; together with the keys some megabytes. */
const MAX_KEYS = 20_000;
const GENERATION_MS = 60_000;

/**
 * Credentials that were sent away and told when to come back. Whoever obeys is told apart from a storm of made-up ones, which are new
 * each time: so a good one behind the same address is heard. First come: when there are too many, those who were here first stay.
 */
export class ReturningCredentials {
  readonly #clock: Clock;
  /** When each may come back. Forgotten after one to two generations. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #youngSinceMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#youngSinceMs = clock.now();
  }

  /** Credentials that are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** It was told to come back after so many seconds; at most a generation counts. Of several words the earliest holds. */
  sentAway(key: string, retryAfterSeconds: number): void {
    this.#age();
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known === undefined && this.#young.size >= MAX_KEYS) return;
    const dueMs = this.#clock.now() + Math.min(retryAfterSeconds * 1_000, GENERATION_MS);
    const generation = this.#old.has(key) ? this.#old : this.#young;
    generation.set(key, Math.min(known ?? dueMs, dueMs));
  }

  /** Whether it was told to come back and has obeyed. */
  isBack(key: string): boolean {
    this.#age();
    const dueMs = this.#young.get(key) ?? this.#old.get(key);
    return dueMs !== undefined && this.#clock.now() >= dueMs;
  }

  /** It was heard. */
  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  #age(): void {
    const now = this.#clock.now();
    if (now - this.#youngSinceMs < GENERATION_MS) return;
    this.#old = now - this.#youngSinceMs < 2 * GENERATION_MS ? this.#young : new Map();
    this.#young = new Map();
    this.#youngSinceMs = now;
  }
}
