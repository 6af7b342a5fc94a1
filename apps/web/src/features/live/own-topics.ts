import { ChannelHub } from "./channel/channel-hub.ts";
import { openPageChannel } from "./channel/page-channel.ts";
import { createLiveHub, LIVE_HUB, packMessage, unpackMessage } from "./hub/live-hub.ts";
import { parseLiveTopic, type LiveMessage, type LiveTopic } from "./hub/live-topic.ts";
import type { TopicSource } from "./hub/switched-source.ts";
import { shareName } from "./share-name.ts";
import { hearSignOut, sessionOfPage } from "./sign-out-channel.ts";

/** A page that is hidden for so long lets its own stream go. */
const HIDDEN_MS = 10_000;

/** The live topics of a page without a shared worker: one of the pages has them for all, or each has its own. */
export function ownTopics(): TopicSource<LiveTopic, LiveMessage> {
  return channelSource() ?? ownSource();
}

/** @returns `undefined` where the browser has no such thing, or forbids it here */
function channelSource(): TopicSource<LiveTopic, LiveMessage> | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  try {
    const hub = new ChannelHub({
      name: shareName(),
      openChannel: openPageChannel,
      isVisible: () => !document.hidden,
      hub: LIVE_HUB,
      pack: packMessage,
      unpack: unpackMessage,
      parseTopic: parseLiveTopic,
    });
    hearSignOut(sessionOfPage(), () => hub.signedOut());
    document.addEventListener("visibilitychange", () => hub.shown());
    addEventListener("pagehide", () => hub.leave());
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) hub.returned();
    });
    return hub;
  } catch {
    return undefined;
  }
}

function ownSource(): TopicSource<LiveTopic, LiveMessage> {
  const hub = createLiveHub();
  hearSignOut(sessionOfPage(), () => hub.signedOut());
  let hiding: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => hub.pause(), HIDDEN_MS);
    else hub.resume();
  });
  return hub;
}
