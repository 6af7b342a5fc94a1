import { Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import { KeyedDigest } from "../limits/keyed-digest.ts";

/** How long answers are kept. 0: not at all. */
export interface CacheTtl {
  readonly okMs: number;
  readonly refusedMs: number;
}

/** Who wants an answer. */
export interface Asking {
  /** Aborted when this caller has left. */
  readonly signal: AbortSignal;
  /** Maximum age of the query; absent: as long as answers are cached. */
  readonly maxAgeMs?: number | undefined;
}

interface Kept<T> {
  readonly queriedAtMs: number;
  readonly content: T;
}

interface Question<T> {
  readonly queriedAtMs: number;
  readonly answer: Promise<T>;
  readonly deserted: AbortController;
  callers: number;
}

const MAX_ACCEPTED = 50_000;
/** Of their own: made-up credentials push no good one out. */
const MAX_REFUSED = 20_000;
/** Refusals by the main application, which are cached; any other error (it is down, the call was cancelled) is not. */
const REFUSALS: ReadonlySet<string> = new Set(["token_unknown", "agent_forbidden", "agent_unknown", "not_found"]);
/** One for all: an `AbortError` of its own would cost a stack each time. */
const DESERTED = new Fault("cancelled", "all callers left");

/**
 * Answers of the main application by all inputs of the question. One look-up at a time per key; a caller that leaves ends only its
 * own wait, and the last one that leaves takes back the question if it still waits for its turn.
 */
export class CachedLookup<T> {
  readonly #digest = new KeyedDigest();
  readonly #accepted = new LRUCache<string, Kept<{ readonly value: T }>>(atMost(MAX_ACCEPTED));
  readonly #refused = new LRUCache<string, Kept<Fault>>(atMost(MAX_REFUSED));
  /** Bounded by the limit on queries. */
  readonly #running = new Map<string, Question<T>>();
  readonly #clock: Clock;
  readonly #ttl: CacheTtl;
  readonly #withdrawn: ((value: T) => void) | undefined;

  /** @param withdrawn receives the last answer to a query that is refused now, also when that answer has expired */
  constructor(clock: Clock, ttl: CacheTtl, withdrawn?: (value: T) => void) {
    this.#clock = clock;
    this.#ttl = ttl;
    this.#withdrawn = withdrawn;
  }

  /**
   * @param inputs everything the answer depends on
   * @param look the query; its signal aborts when no caller waits for the answer any more
   * @throws Fault of `look`, or `cancelled`
   */
  get(inputs: readonly string[], asking: Asking, look: (deserted: AbortSignal) => Promise<T>): Promise<T> {
    if (asking.signal.aborted) return Promise.reject(new Fault("cancelled", "the caller left"));
    const key = this.#digest.of(inputs);
    const maxAgeMs = asking.maxAgeMs ?? Number.POSITIVE_INFINITY;
    const accepted = this.#acceptedAt(key, maxAgeMs);
    if (accepted) return Promise.resolve(accepted.value);
    const refused = this.#refused.get(key);
    if (refused && this.#isFresh(refused, this.#ttl.refusedMs, maxAgeMs)) return Promise.reject(refused.content);
    const running = this.#running.get(key);
    const question = running && this.#ageOf(running) <= maxAgeMs ? running : this.#ask(key, look);
    return this.#join(key, question, asking.signal);
  }

  /** What `get` would resolve to without asking; undefined: it would ask, or reject. */
  known(inputs: readonly string[], { signal, maxAgeMs = Number.POSITIVE_INFINITY }: Asking): T | undefined {
    return signal.aborted ? undefined : this.#acceptedAt(this.#digest.of(inputs), maxAgeMs)?.value;
  }

  #acceptedAt(key: string, maxAgeMs: number): { readonly value: T } | undefined {
    const accepted = this.#accepted.get(key);
    return accepted && this.#isFresh(accepted, this.#ttl.okMs, maxAgeMs) ? accepted.content : undefined;
  }

  #ageOf({ queriedAtMs }: { readonly queriedAtMs: number }): number {
    return this.#clock.now() - queriedAtMs;
  }

  /** An answer from the future is none: the clock was set back. */
  #isFresh(kept: Kept<unknown>, ttlMs: number, maxAgeMs: number): boolean {
    const ageMs = this.#ageOf(kept);
    return ageMs >= 0 && ageMs < ttlMs && ageMs <= maxAgeMs;
  }

  #ask(key: string, look: (deserted: AbortSignal) => Promise<T>): Question<T> {
    const deserted = new AbortController();
    const queriedAtMs = this.#clock.now();
    const answer = look(deserted.signal).then(
      (value) => {
        this.#settled(key, question);
        if (this.#isNewest(key, queriedAtMs)) {
          this.#refused.delete(key);
          this.#accepted.set(key, { queriedAtMs, content: { value } });
        }
        return value;
      },
      (error: unknown) => {
        this.#settled(key, question);
        if (error instanceof Fault && REFUSALS.has(error.reason) && this.#isNewest(key, queriedAtMs)) {
          const before = this.#accepted.peek(key);
          this.#accepted.delete(key);
          this.#refused.set(key, { queriedAtMs, content: error });
          if (before) this.#withdrawn?.(before.content.value);
        }
        throw error;
      },
    );
    const question: Question<T> = { queriedAtMs, answer, deserted, callers: 0 };
    this.#running.set(key, question);
    return question;
  }

  /** Two questions may run at once when one of them must be fresh: the younger one's answer counts, whichever arrives last. */
  #isNewest(key: string, queriedAtMs: number): boolean {
    const kept = this.#accepted.peek(key) ?? this.#refused.peek(key);
    return kept === undefined || kept.queriedAtMs <= queriedAtMs;
  }

  #settled(key: string, question: Question<T>): void {
    if (this.#running.get(key) === question) this.#running.delete(key);
  }

  #join(key: string, question: Question<T>, signal: AbortSignal): Promise<T> {
    question.callers += 1;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(new Fault("cancelled", "the caller left"));
        question.callers -= 1;
        if (question.callers > 0) return;
        this.#settled(key, question);
        question.deserted.abort(DESERTED);
      };
      question.answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
