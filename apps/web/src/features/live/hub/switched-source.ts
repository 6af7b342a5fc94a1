import type { TopicListener } from "./stream-hub.ts";

/** A source of topics. */
export interface TopicSource<T, M> {
  /** Listens to a topic. The returned function ends that, once. */
  subscribe(topic: T, listener: TopicListener<M>): () => void;
}

/** Begins a source that may turn out not to work: it calls one of both, or neither. */
export type BeginShared<T, M> = (welcome: () => void, failed: () => void) => TopicSource<T, M>;

/** Browsers start a worker in less; beyond that the user waits in front of an empty page. */
const PATIENCE_MS = 4_000;

/** A source that may fail, and a fallback that does not: listeners of the first become listeners of the second. */
export class SwitchedSource<T, M> implements TopicSource<T, M> {
  readonly #own: () => TopicSource<T, M>;
  readonly #subscriptions = new Map<object, { readonly topic: T; readonly listener: TopicListener<M>; end: () => void }>();
  #source: TopicSource<T, M>;
  #isSettled = false;

  /** @param shared `undefined` where there is none */
  constructor(shared: BeginShared<T, M> | undefined, own: () => TopicSource<T, M>) {
    this.#own = own;
    const begun = shared && this.#begin(shared);
    this.#isSettled ||= begun === undefined;
    this.#source = begun ?? own();
  }

  subscribe(topic: T, listener: TopicListener<M>): () => void {
    const key = {};
    this.#subscriptions.set(key, { topic, listener, end: this.#source.subscribe(topic, listener) });
    return () => {
      this.#subscriptions.get(key)?.end();
      this.#subscriptions.delete(key);
    };
  }

  #begin(shared: BeginShared<T, M>): TopicSource<T, M> | undefined {
    const patience = setTimeout(() => this.#fail(), PATIENCE_MS);
    const welcome = (): void => {
      this.#isSettled = true;
      clearTimeout(patience);
    };
    try {
      return shared(welcome, () => this.#fail());
    } catch {
      // The browser forbids it here.
      clearTimeout(patience);
      return undefined;
    }
  }

  /** A worker that has answered once is not given up: its hub tries again by itself. */
  #fail(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#source = this.#own();
    for (const subscription of this.#subscriptions.values()) {
      subscription.end();
      subscription.end = this.#source.subscribe(subscription.topic, subscription.listener);
    }
  }
}
