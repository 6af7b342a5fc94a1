import { portOf, type FromHub, type ToHub } from "./hub/hub-protocol.ts";
import { servePage } from "./hub/hub-server.ts";
import { createLiveHub } from "./hub/live-hub.ts";
import type { LiveMessage, LiveTopic } from "./hub/live-topic.ts";
import { hearSignOut } from "./sign-out-channel.ts";

const hub = createLiveHub();
hearSignOut(self.name.slice(self.name.lastIndexOf(" ") + 1), () => hub.signedOut());

addEventListener("connect", (event) => {
  // A SharedWorker gets no other event of this name.
  for (const port of (event as MessageEvent).ports) {
    // Pages get messages as they are: to copy one costs a page less than to decode it, and no page needs what decodes.
    servePage({ hub, pack: (message) => message }, portOf<ToHub<LiveTopic>, FromHub<LiveMessage>>(port));
  }
});
