import { Backoff, sleep, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import { SampledLog } from "../limits/sampled-log.ts";
import type { Notification } from "./notification.ts";
import type { OutletMetrics } from "./outlet-metrics.ts";

/** Result of one attempt: delivered; failed, with the earliest time of a retry; permanently useless for this notification, or for all. */
export type Delivery =
  | { readonly kind: "delivered" }
  | { readonly kind: "failed"; readonly why: string; readonly retryAfterMs?: number }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "gone"; readonly why: string };

/** Where notifications go. */
export interface OutletOptions {
  /** For metrics and logs. */
  readonly name: string;
  /** Never rejects; ends soon after `signal` aborts. */
  readonly deliver: (notification: Notification, signal: AbortSignal) => Promise<Delivery>;
  readonly maxQueued: number;
  /** Attempts after which one is given up; default: never. */
  readonly maxAttempts?: number;
  readonly backoff: { readonly initialMs: number; readonly maxMs: number };
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: OutletMetrics;
}

/** Ids of sent notifications, so that repeated reports of agents are not sent again. */
const MAX_REMEMBERED = 10_000;
const LEAVE_MS = 1_500;

/** A bounded queue towards one receiver, which gets one notification after the other; senders do not wait for it. */
export class Outlet implements Module {
  readonly name: string;
  readonly #options: OutletOptions;
  readonly #queue: Notification[] = [];
  readonly #sent = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  readonly #lines: SampledLog;
  #wake = new AbortController();
  #emptied = new AbortController();
  #isGone = false;

  constructor(options: OutletOptions) {
    this.#options = options;
    this.name = options.name;
    this.#lines = new SampledLog(options.clock);
    options.metrics.watch(options.name, () => this.#queue.length);
  }

  /** Never throws, never waits. When too many wait, the oldest is dropped. */
  tell(notification: Notification): void {
    if (this.#isGone || this.#sent.has(notification.id)) return;
    this.#sent.set(notification.id, true);
    this.#queue.push(notification);
    if (this.#queue.length > this.#options.maxQueued) {
      this.#queue.shift();
      this.#drop("too many wait");
    }
    this.#wake.abort();
  }

  /** @see Module.run */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, backoff: pace, maxAttempts = Number.POSITIVE_INFINITY } = this.#options;
    let backoff = new Backoff(pace);
    let attempts = 0;
    while (!signal.aborted) {
      const next = this.#queue[0];
      if (next === undefined) {
        this.#emptied.abort();
        this.#wake = new AbortController();
        await aborted(AbortSignal.any([signal, this.#wake.signal]));
        continue;
      }
      const delivery = await this.#deliver(next, signal);
      if (signal.aborted) return;
      attempts += 1;
      const isLast = delivery.kind !== "failed" || attempts >= maxAttempts;
      if (delivery.kind === "failed" && !isLast) {
        await sleep(clock, Math.max(backoff.nextMs(), delivery.retryAfterMs ?? 0), signal);
        // Not when it was dropped meanwhile: the next one begins anew.
        if (this.#queue[0] === next) continue;
      } else {
        if (this.#queue[0] === next) this.#queue.shift();
        if (delivery.kind !== "delivered") this.#drop(delivery.why);
      }
      [attempts, backoff] = [0, new Backoff(pace)];
    }
  }

  /** @see Module.drain */
  async drain(deadline: AbortSignal): Promise<void> {
    if (this.#queue.length === 0) return;
    this.#emptied = new AbortController();
    await sleep(this.#options.clock, LEAVE_MS, AbortSignal.any([deadline, this.#emptied.signal]));
  }

  /** @see Module.close */
  async close(): Promise<void> {}

  async #deliver(notification: Notification, signal: AbortSignal): Promise<Delivery> {
    const { name, deliver, log, metrics } = this.#options;
    const delivery = await deliver(notification, signal);
    metrics.count(name, delivery.kind === "delivered" ? "delivered" : "failed");
    if (delivery.kind === "gone") {
      this.#isGone = true;
      this.#queue.length = 0;
      log.warn({ receiver: name, reason: delivery.why }, "a receiver of notifications wants no more");
    } else if (delivery.kind !== "delivered") {
      this.#lines.event("failed", (count) =>
        log.warn({ receiver: name, reason: delivery.why, count }, "a notification could not be delivered"),
      );
    }
    return delivery;
  }

  #drop(reason: string): void {
    const { name, log, metrics } = this.#options;
    metrics.count(name, "dropped");
    this.#lines.event("dropped", (count) => log.warn({ receiver: name, reason, count }, "notifications were dropped"));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
