import { reloadIfLost } from "../../ui/chunk-failure.ts";
import { loadLanguage } from "../../ui/messages.ts";
import { DeferredSource } from "./hub/deferred-source.ts";
import { HubClient } from "./hub/hub-client.ts";
import { portOf, type FromHub, type ToHub } from "./hub/hub-protocol.ts";
import type { LiveMessage, LiveTopic } from "./hub/live-topic.ts";
import { SwitchedSource, type TopicSource } from "./hub/switched-source.ts";
import { shareName } from "./share-name.ts";

let source: TopicSource<LiveTopic, LiveMessage> | undefined;

/**
 * The live topics of this page. All pages of a browser share one stream, in a worker of theirs, which alone knows how the server is asked;
 * where there is none, or it does not answer, one of the pages has it for all; where pages cannot speak with each other either, each has a
 * stream of its own, and lets it go while it is hidden. What comes can be said: the language is loaded while the worker starts.
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
