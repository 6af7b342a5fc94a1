/** Longest time between two yields; other requests of the agent wait no longer for the thread. */
const TURN_MS = 20;
/** Most objects between two yields, however fast they are. */
const TURN_OBJECTS = 500;

/** What turns are taken with; a test passes its own. */
export interface TurnsOptions {
  /** Milliseconds of any monotonic clock. */
  readonly now?: () => number;
  /** Lets the event loop do other work. */
  readonly rest?: () => Promise<void>;
}

/**
 * Divides long synchronous work into short turns: after 20 ms, and after 500 objects at the latest, the event loop does other work. One instance
 * belongs to one sync, so that the end of one loop and the begin of the next count together.
 */
export class Turns {
  readonly #now: () => number;
  readonly #rest: () => Promise<void>;
  #objects = 0;
  #sinceMs: number;

  constructor({ now = () => performance.now(), rest = () => new Promise((resolve) => void setImmediate(resolve)) }: TurnsOptions = {}) {
    this.#now = now;
    this.#rest = rest;
    this.#sinceMs = now();
  }

  /** To be awaited once per object. @returns nothing while the turn goes on */
  step(): Promise<void> | undefined {
    this.#objects += 1;
    return this.#objects >= TURN_OBJECTS || this.#now() - this.#sinceMs >= TURN_MS ? this.#yield() : undefined;
  }

  /** The items, in turns. */
  async *over<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
    for await (const item of items) {
      const due = this.step();
      if (due) await due;
      yield item;
    }
  }

  async #yield(): Promise<void> {
    await this.#rest();
    this.#objects = 0;
    this.#sinceMs = this.#now();
  }
}
