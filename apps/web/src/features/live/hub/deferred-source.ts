import { retryDelayMs } from "../retry-delay.ts";
import type { TopicListener } from "./stream-hub.ts";
import type { TopicSource } from "./switched-source.ts";

interface Subscription<T, M> {
  readonly topic: T;
  readonly listener: TopicListener<M>;
  end: () => void;
}

/** A source whose code is still to come: who listens meanwhile listens to it when it is there. */
export class DeferredSource<T, M> implements TopicSource<T, M> {
  readonly #load: () => Promise<TopicSource<T, M>>;
  readonly #waiting = new Set<Subscription<T, M>>();
  #source: TopicSource<T, M> | undefined;

  /** @param load is called at once, and again, later each time, until it has succeeded */
  constructor(load: () => Promise<TopicSource<T, M>>) {
    this.#load = load;
    void this.#try(0);
  }

  subscribe(topic: T, listener: TopicListener<M>): () => void {
    if (this.#source !== undefined) return this.#source.subscribe(topic, listener);
    const subscription = { topic, listener, end: (): void => void this.#waiting.delete(subscription) };
    this.#waiting.add(subscription);
    return () => subscription.end();
  }

  async #try(attempt: number): Promise<void> {
    let source: TopicSource<T, M>;
    try {
      source = await this.#load();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      for (const { listener } of this.#waiting) listener.lost(reason);
      setTimeout(() => void this.#try(attempt + 1), retryDelayMs(attempt, Math.random()));
      return;
    }
    this.#source = source;
    for (const subscription of this.#waiting) subscription.end = source.subscribe(subscription.topic, subscription.listener);
    this.#waiting.clear();
  }
}
