/** Different sets of teams' rules that one view judges by at a time: a graph, a roll-up and a queue of scripts each. */
const MAX_RULE_SETS = 64;

/** A scope whose rules found no place. */
export interface WaitingForRules {
  /** There is a place now: a scope that joins again may have it. */
  readonly isFree: boolean;
}

/**
 * The places of a view for sets of rules. A scope without one waits in order of arrival; as many are notified as there are places, so that
 * not all come for one.
 */
export class RulePlaces {
  readonly #most: number;
  /** How many scopes judge by a set, and how many of them have subscribers. */
  readonly #sets = new Map<string, { scopes: number; looked: number }>();
  readonly #waiting = new Map<WaitingForRules, string>();

  constructor(most = MAX_RULE_SETS) {
    this.#most = most;
  }

  /** Whether a scope may judge by this set at once. */
  admits(id: string): boolean {
    return this.#sets.has(id) || this.#sets.size < this.#most;
  }

  /** A scope judges by the set from now on, without a subscriber yet. */
  take(id: string): void {
    this.#sets.set(id, { looked: 0, ...this.#sets.get(id), scopes: (this.#sets.get(id)?.scopes ?? 0) + 1 });
  }

  /** It is closed. */
  free(id: string): void {
    const set = this.#sets.get(id);
    if (set === undefined) return;
    set.scopes -= 1;
    if (set.scopes === 0) this.#sets.delete(id);
  }

  /** One of its scopes has subscribers from now on (1), or has none any more (-1). */
  look(id: string, by: 1 | -1): void {
    const set = this.#sets.get(id);
    if (set !== undefined) set.looked += by;
  }

  /** Whether no scope of the set has subscribers: another set may take its place. */
  isLeft(id: string): boolean {
    return this.#sets.get(id)?.looked === 0;
  }

  /** A scope waits for a place until `leave` is called. */
  wait(id: string): { readonly waiting: WaitingForRules; readonly leave: () => void } {
    const isFree = (): boolean => this.#isFree(waiting, id);
    const waiting: WaitingForRules = {
      get isFree() {
        return isFree();
      },
    };
    this.#waiting.set(waiting, id);
    return { waiting, leave: () => void this.#waiting.delete(waiting) };
  }

  #isFree(asking: WaitingForRules, id: string): boolean {
    if (this.#sets.has(id)) return true;
    const left = [...this.#sets.values()].filter(({ looked }) => looked === 0).length;
    const free = this.#most - this.#sets.size + left;
    // Who waits for one set gets one place together.
    const before = new Set<string>();
    for (const [waiting, wanted] of this.#waiting) {
      if (waiting === asking || wanted === id) break;
      if (!this.#sets.has(wanted)) before.add(wanted);
    }
    return before.size < free;
  }
}
