import { create } from "@bufbuild/protobuf";
import { ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";
import { Fault } from "@binnacle/rpc";

import type { SubscriptionEvents, ViewSubscription } from "./view-subscription.ts";

/** Joins a view. @throws Fault */
export type JoinView = (index: number, events: SubscriptionEvents) => Promise<Pick<ViewSubscription, "take" | "close">>;

/** Several views that one reader follows over one answer, each as a topic from 1 on: those that have something to tell take turns. */
export class SubscriptionBundle {
  readonly #ready: () => void;
  readonly #subscriptions = new Map<number, Pick<ViewSubscription, "take" | "close">>();
  /** Topics that may have something to tell, in the order in which they began to. */
  readonly #waiting = new Set<number>();
  readonly #ends = new Map<number, Fault>();
  #closed = false;

  /** @param ready there may be something to take */
  constructor(ready: () => void) {
    this.#ready = ready;
  }

  /**
   * Joins so many views. One that cannot be joined ends alone; when none can, that is why there is no answer.
   *
   * @throws Fault why the first could not be joined, when none could
   */
  async join(count: number, join: JoinView): Promise<void> {
    const faults = await Promise.all(Array.from({ length: count }, (_, index) => this.#joinOne(index + 1, join)));
    const [first] = faults;
    if (first !== undefined && faults.every((fault) => fault !== undefined)) throw first;
    for (const [index, fault] of faults.entries()) if (fault) this.#end(index + 1, fault);
  }

  /** The next thing to tell of any of them. */
  take(): ViewUpdate | undefined {
    for (const [topic, { reason, message }] of this.#ends) {
      this.#ends.delete(topic);
      return create(ViewUpdateSchema, { topic: BigInt(topic), end: { topic: BigInt(topic), reason, message } });
    }
    for (const topic of this.#waiting) {
      this.#waiting.delete(topic);
      const update = this.#subscriptions.get(topic)?.take();
      if (update === undefined) continue;
      this.#waiting.add(topic);
      return { ...update, topic: BigInt(topic) };
    }
    return undefined;
  }

  /** The reader has left. */
  close(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions.values()) subscription.close();
    this.#subscriptions.clear();
    this.#waiting.clear();
  }

  /** @returns why it could not be joined */
  async #joinOne(topic: number, join: JoinView): Promise<Fault | undefined> {
    const ready = (): void => {
      this.#waiting.add(topic);
      this.#ready();
    };
    try {
      const subscription = await join(topic - 1, { ready, ended: (fault) => this.#end(topic, fault) });
      if (this.#closed) subscription.close();
      else this.#subscriptions.set(topic, subscription);
      ready();
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return error;
    }
  }

  #end(topic: number, fault: Fault): void {
    this.#subscriptions.delete(topic);
    this.#waiting.delete(topic);
    if (this.#closed) return;
    this.#ends.set(topic, fault);
    this.#ready();
  }
}
