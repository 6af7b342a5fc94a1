import type { Clock } from "@binnacle/rpc";

/** So much is kept: of a day in which nothing happens all, of an hour in which the connection comes and goes the last of it. */
const MOST_MOMENTS = 100;

/** Something that has happened to the agent. No addresses, no names of the cluster or of people: every user of the agent sees it. */
export type LifeMoment =
  | { readonly what: "connected" | "connection-lost" | "connection-replaced" | "configuration-given" }
  | { readonly what: "configuration-applied"; readonly commit: string }
  /** `code`: of gRPC. */
  | { readonly what: "configuration-refused"; readonly code: number };

/** A moment, and when it was. */
export interface NotedMoment {
  /** From 1; what came later has a larger one. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly moment: LifeMoment;
}

/** The agent's own life: what happens to it is noted here, and nowhere else. The last hundred moments are kept. */
export class AgentLife {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #moments: readonly NotedMoment[] = [];
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Oldest first. */
  get moments(): readonly NotedMoment[] {
    return this.#moments;
  }

  /** Something has happened now. */
  note(moment: LifeMoment): void {
    this.#last += 1;
    const noted = { number: this.#last, atMs: this.#clock.now(), moment };
    this.#moments = [...this.#moments, noted].slice(-MOST_MOMENTS);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each moment. @returns ends it */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
