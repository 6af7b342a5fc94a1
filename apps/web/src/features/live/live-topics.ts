import { reloadIfLost } from "../../ui/chunk-failure.ts";
import { loadLanguage } from "../../ui/messages.ts";
import { HubClient } from "./hub/hub-client.ts";
import { portOf, type FromHub, type ToHub } from "./hub/hub-protocol.ts";
import type { LiveMessage, LiveTopic } from "./hub/live-topic.ts";
import { SwitchedSource, type TopicSource } from "./hub/switched-source.ts";
import { shareName } from "./share-name.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { TopicListener } from "./hub/stream-hub.ts";

let source: TopicSource<LiveTopic, LiveMessage> | undefined;

/**
 * The live topics of this page. All pages of a browser share one stream, in a worker of theirs, which alone sends requests to the server;
 * where there is none, or it does not answer, one of the pages has it for all; where pages cannot speak with each other either, each has a
 * stream of its own, and lets it go while it is hidden. The language is loaded while the worker starts, so that messages can be rendered.
 */
export function liveTopics(): TopicSource<LiveTopic, LiveMessage> {
  source ??= speaking(new SwitchedSource(typeof SharedWorker === "undefined" ? undefined : sharedSource, ownSource));
  return source;
}

function speaking(spoken: TopicSource<LiveTopic, LiveMessage>): TopicSource<LiveTopic, LiveMessage> {
  return new DeferredSource(async () => {
    await orReload(loadLanguage());
    return spoken;
  });
}

/** Few browsers need it. */
function ownSource(): TopicSource<LiveTopic, LiveMessage> {
  return new DeferredSource(async () => (await orReload(import("./own-topics.ts"))).ownTopics());
}

function sharedSource(welcome: () => void, failed: () => void): TopicSource<LiveTopic, LiveMessage> {
  const worker = new SharedWorker(new URL("./live.worker.ts", import.meta.url), { type: "module", name: shareName() });
  worker.addEventListener("error", failed);
  const port = portOf<FromHub<LiveMessage>, ToHub<LiveTopic>>(worker.port);
  port.listen(({ what }) => {
    if (what === "welcome") welcome();
  });
  const client = new HubClient(port, (message: LiveMessage) => message);
  addEventListener("pagehide", () => client.leave());
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) client.returned();
  });
  return client;
}

/** Code that is under way. Where its file is gone, the page is loaded anew, once. @throws as `import()` */
async function orReload<T>(coming: Promise<T>): Promise<T> {
  try {
    return await coming;
  } catch (error) {
    reloadIfLost(error);
    throw error;
  }
}

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
