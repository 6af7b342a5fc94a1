import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

/** An answer, and how long it stands, in milliseconds. */
export interface FreshAnswer<T> {
  readonly answer: T;
  readonly freshMs: number;
}

interface Known<T> extends FreshAnswer<T> {
  readonly atMs: number;
}

/** Answers that stand for a moment, by key: whoever asks meanwhile, or while one is under way, asks nobody. */
export class FreshAnswers<T> {
  readonly #clock: Clock;
  readonly #known: LRUCache<string, Known<T>>;
  readonly #underWay = new Map<string, Promise<T>>();

  /** @param most answers that are kept */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#known = new LRUCache({ max: most });
  }

  /** The answer of a while ago, when that still stands. */
  last(key: string): { readonly answer: T } | undefined {
    const known = this.#known.get(key);
    const ageMs = known === undefined ? 0 : this.#clock.now() - known.atMs;
    // Whoever set the clock back is not believed for longer.
    return known === undefined || ageMs < 0 || ageMs >= known.freshMs ? undefined : known;
  }

  /** That, or what `ask` says now. It is shared by all who wait for it: nobody's leaving may abort it. What it throws is kept for nobody. */
  async read(key: string, ask: () => Promise<FreshAnswer<T>>): Promise<T> {
    const known = this.last(key);
    if (known !== undefined) return known.answer;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const asking = ask()
      .then((fresh) => {
        this.#known.set(key, { ...fresh, atMs: this.#clock.now() });
        return fresh.answer;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }
}
