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

/** Short-lived cache of answers, by key: callers meanwhile, or while a request is pending, share the answer and send no request. */
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
    // After the clock was set back an answer does not live longer.
    return known === undefined || ageMs < 0 || ageMs >= known.freshMs ? undefined : known;
  }

  /**
   * The cached answer, or the result of `ask`. All waiting callers share the request, so no caller's cancellation aborts it. Errors are not
   * cached.
   */
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
