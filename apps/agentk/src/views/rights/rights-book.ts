import type { PlannedSource } from "@binnacle/environment-view";
import type { NamespaceRules } from "@binnacle/kube";
import { Fault, type Clock } from "@binnacle/rpc";

import type { AccessReviews, RequestedAccess } from "./access-reviews.ts";
import { gettableOf, mayList } from "./policy-rules.ts";
import { EVERYTHING, rightsOf, type ProvedKind, type ProvedRights } from "./proved-rights.ts";

/** An answer of the API server is fresh for this long: with proofs every 30 s rights end within a minute. */
const FRESH_MS = 20_000;
/** Most questions for one proof. */
const MAX_QUESTIONS = 400;
/** Questions to the API server at a time, for one viewer. */
const WIDTH = 8;
/** Viewers whose answers are cached. */
const MAX_VIEWERS = 5_000;
/** Rules are reviewed by namespace; this one stands for those that hold in all of them. */
const ANY_NAMESPACE = "default";

/** Whose rights are proved. */
export interface ProvedViewer {
  /** Equal for equal identities. */
  readonly key: string;
  readonly reviews: AccessReviews;
}

/** What a book works with. */
export interface RightsBookOptions {
  readonly clock: Clock;
  /** Cancels running questions. A single caller cannot: others may wait for the same answer. */
  readonly signal: AbortSignal;
  /** Called for each question that goes to the API server. */
  readonly onReview?: () => void;
}

/** What a viewer may read, and when that was so. */
export interface RightsProof {
  readonly rights: ProvedRights;
  /** When the oldest question of the proof was sent to the API server, in milliseconds of the epoch. */
  readonly requestedMs: number;
}

interface Answer<T> {
  readonly requestedMs: number;
  readonly value: Promise<T>;
}

/** Recent answers of the API server about one viewer. */
class ViewerPage {
  readonly #answers = new Map<string, Answer<unknown>>();

  /** The answer to a question, which is sent at most once while its answer is fresh. */
  answer<T>(question: string, nowMs: number, ask: () => Promise<T>): Answer<T> {
    const known = this.#answers.get(question);
    // The question determines the type of its answer.
    if (known !== undefined && nowMs - known.requestedMs < FRESH_MS) return known as Answer<T>;
    for (const [old, { requestedMs }] of this.#answers) if (nowMs - requestedMs >= FRESH_MS) this.#answers.delete(old);
    const answer = { requestedMs: nowMs, value: ask() };
    this.#answers.set(question, answer);
    answer.value.catch(() => this.#answers.delete(question));
    return answer;
  }
}

/**
 * What viewers may read, as the API server answers under the identity of each: one question for everything, then one for each namespace, and
 * single ones only where those are not conclusive. Answers are shared by all proofs of a viewer for twenty seconds.
 */
export class RightsBook {
  readonly #options: RightsBookOptions;
  /** In the order of their last use. */
  readonly #pages = new Map<string, ViewerPage>();

  constructor(options: RightsBookOptions) {
    this.#options = options;
  }

  /**
   * What a viewer may read of these.
   *
   * @throws KubeClientError when the API server does not say; Fault `over_budget` when it would take too many questions
   */
  async prove(viewer: ProvedViewer, planned: readonly Pick<PlannedSource, "kind" | "namespace">[]): Promise<RightsProof> {
    const asking = new Asking(viewer.reviews, this.#pageOf(viewer.key), this.#options);
    const whole = await Promise.all((["list", "get"] as const).map((verb) => asking.may({ verb, kind: undefined, namespace: "" })));
    const rights = whole.every(Boolean) ? EVERYTHING : rightsOf(await inTurn(planned, (each) => proveKind(asking, each)));
    return { rights, requestedMs: asking.oldestMs };
  }

  #pageOf(key: string): ViewerPage {
    const page = this.#pages.get(key) ?? new ViewerPage();
    this.#pages.delete(key);
    this.#pages.set(key, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_VIEWERS && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}

/** The questions of one proof. */
class Asking {
  /** When the oldest of the answers was requested. */
  oldestMs = Number.POSITIVE_INFINITY;
  readonly #reviews: AccessReviews;
  readonly #page: ViewerPage;
  readonly #options: RightsBookOptions;
  #left = MAX_QUESTIONS;

  constructor(reviews: AccessReviews, page: ViewerPage, options: RightsBookOptions) {
    this.#reviews = reviews;
    this.#page = page;
    this.#options = options;
  }

  rules(namespace: string): Promise<NamespaceRules> {
    return this.#ask(`rules ${namespace}`, (signal) => this.#reviews.rules(namespace, signal));
  }

  may(access: RequestedAccess): Promise<boolean> {
    const { verb, kind, namespace } = access;
    const question = `${verb} ${kind === undefined ? "*" : `${kind.group}/${kind.resource}`} ${namespace}`;
    return this.#ask(question, (signal) => this.#reviews.may(access, signal));
  }

  #ask<T>(question: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, onReview, signal } = this.#options;
    const { requestedMs, value } = this.#page.answer(question, clock.now(), () => {
      if (this.#left === 0)
        throw new Fault("over_budget", `to find out what the viewer may read would take more than ${MAX_QUESTIONS} questions`);
      this.#left -= 1;
      onReview?.();
      return ask(signal);
    });
    this.oldestMs = Math.min(this.oldestMs, requestedMs);
    return value;
  }
}

async function proveKind(asking: Asking, { kind, namespace }: Pick<PlannedSource, "kind" | "namespace">): Promise<ProvedKind> {
  const rules = await asking.rules(namespace === "" ? ANY_NAMESPACE : namespace);
  const isListed = mayList(rules, kind);
  if (namespace !== "") {
    const list = isListed || (rules.incomplete && (await asking.may({ verb: "list", kind, namespace })));
    return { kind, namespace, list, get: gettableOf(rules, kind) };
  }
  // What holds in one namespace need not hold in all of them, or for what is in none; what does not hold in one does not hold in all.
  const list = (isListed || rules.incomplete) && (await asking.may({ verb: "list", kind, namespace }));
  return { kind, namespace, list, get: list && (await asking.may({ verb: "get", kind, namespace })) ? true : [] };
}

/** The results of a few at a time, in order. */
async function inTurn<T, R>(items: readonly T[], of: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += WIDTH) results.push(...(await Promise.all(items.slice(from, from + WIDTH).map(of))));
  return results;
}
