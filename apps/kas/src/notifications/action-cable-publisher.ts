import { Backoff, sleep, type Clock, type Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { LRUCache } from "lru-cache";
import { Counter, Gauge, type Registry } from "prom-client";

import { SampledLog } from "../limits/sampled-log.ts";
import type { Notification } from "./notification.ts";

/** What publishing needs. */
export interface ActionCablePublisherOptions {
  readonly publish: (channel: string, payload: string) => Promise<unknown>;
  /** `channel_prefix` of the application's cable.yml. */
  readonly channelPrefix: string | undefined;
  /** Name of the stream; `{agent_id}` stands for the agent. */
  readonly stream: string;
  readonly maxQueued: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly registry: Registry;
}

/** Of notifications that were told, so that what agents report again is not. */
const MAX_REMEMBERED = 10_000;
const LEAVE_MS = 1_500;

/** Publishes notifications as ActionCable's Redis adapter does; nobody waits for it. */
export class ActionCablePublisher implements Module {
  readonly name = "notifications";
  readonly #options: ActionCablePublisherOptions;
  readonly #queue: Notification[] = [];
  readonly #told = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #counted: Counter<"outcome">;
  readonly #lines: SampledLog;
  #wake = new AbortController();
  #emptied = new AbortController();

  constructor(options: ActionCablePublisherOptions) {
    this.#options = options;
    this.#lines = new SampledLog(options.clock);
    const registers = [options.registry];
    const queue = this.#queue;
    this.#counted = new Counter({
      name: "kas_notifications_total",
      help: "Notifications: published, tried in vain (and tried again), or dropped because too many waited",
      labelNames: ["outcome"],
      registers,
    });
    const queued = new Gauge({
      name: "kas_notifications_queued",
      help: "Notifications that wait to be published",
      registers: [],
      collect() {
        this.set(queue.length);
      },
    });
    options.registry.registerMetric(queued);
  }

  /** Never throws, never waits. When too many wait, the oldest is dropped. */
  tell(notification: Notification): void {
    if (this.#told.has(notification.id)) return;
    this.#told.set(notification.id, true);
    this.#queue.push(notification);
    if (this.#queue.length > this.#options.maxQueued) {
      this.#queue.shift();
      this.#counted.labels("dropped").inc();
      this.#lines.event("dropped", (count) => this.#options.log.warn({ count }, "notifications were dropped: too many wait for Redis"));
    }
    this.#wake.abort();
  }

  /** @see Module.run */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const backoff = new Backoff({ initialMs: 200, maxMs: 5_000 });
    while (!signal.aborted) {
      const next = this.#queue[0];
      if (next === undefined) {
        this.#emptied.abort();
        this.#wake = new AbortController();
        await aborted(AbortSignal.any([signal, this.#wake.signal]));
      } else if (await this.#publish(next)) {
        backoff.reset();
        // Not when it was dropped meanwhile.
        if (this.#queue[0] === next) this.#queue.shift();
      } else await sleep(clock, backoff.nextMs(), signal);
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

  async #publish(notification: Notification): Promise<boolean> {
    const { channelPrefix, stream, log, publish } = this.#options;
    const name = stream.replaceAll("{agent_id}", String(notification.agent_id));
    try {
      await publish(channelPrefix === undefined ? name : `${channelPrefix}:${name}`, JSON.stringify(notification));
      this.#counted.labels("published").inc();
      return true;
    } catch (error) {
      this.#counted.labels("failed").inc();
      this.#lines.event("failed", (count) => log.warn({ error, count }, "a notification could not be published; it is tried again"));
      return false;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
