import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HubClient } from "./hub-client.ts";
import type { FromHub, HubPort, ToHub } from "./hub-protocol.ts";
import { servePage } from "./hub-server.ts";
import type { TopicListener } from "./stream-hub.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Two ports that belong together; `frozen` holds back what the page says, as a page in the browser's cache does. */
function channel(): { readonly page: HubPort<FromHub, ToHub<string>>; readonly hub: HubPort<ToHub<string>, FromHub>; frozen: boolean } {
  const toPage: ((message: FromHub) => void)[] = [];
  const toHub: ((message: ToHub<string>) => void)[] = [];
  const both = {
    frozen: false,
    page: {
      send: (message: ToHub<string>) => {
        if (!both.frozen) for (const listener of toHub) listener(message);
      },
      listen: (listener: (message: FromHub) => void) => void toPage.push(listener),
    },
    hub: {
      send: (message: FromHub) => {
        for (const listener of toPage) listener(message);
      },
      listen: (listener: (message: ToHub<string>) => void) => void toHub.push(listener),
    },
  };
  return both;
}

/** A hub that only knows who listens. */
class FakeHub {
  readonly listeners = new Map<TopicListener<string>, string>();

  subscribe(topic: string, listener: TopicListener<string>): () => void {
    this.listeners.set(listener, topic);
    listener.take(`all of ${topic}`);
    return () => void this.listeners.delete(listener);
  }
}

function open(): {
  readonly hub: FakeHub;
  readonly client: HubClient<string, string>;
  readonly line: ReturnType<typeof channel>;
} {
  const [hub, line] = [new FakeHub(), channel()];
  servePage({ hub, pack: (message) => ({ atMs: 1, first: false, bytes: new TextEncoder().encode(message) }) }, line.hub);
  return { hub, line, client: new HubClient(line.page, ({ bytes }) => new TextDecoder().decode(bytes)) };
}

function listener(heard: string[]): TopicListener<string> {
  return {
    take: (message) => void heard.push(message),
    lost: (reason) => void heard.push(`lost: ${reason}`),
    unauthenticated: () => void heard.push("signed out"),
  };
}

test("W3: a page hears over its port what it would hear of the hub", () => {
  const { hub, client } = open();
  const heard: string[] = [];
  client.subscribe("env", listener(heard));
  for (const each of hub.listeners.keys()) {
    each.take("more");
    each.lost("cut");
    each.unauthenticated();
  }
  expect(heard).toEqual(["all of env", "more", "lost: cut", "signed out"]);
});

test("W3: two listeners of a page are apart, and one that stopped hears nothing any more", () => {
  const { hub, client } = open();
  const [one, two]: [string[], string[]] = [[], []];
  const stop = client.subscribe("one", listener(one));
  client.subscribe("two", listener(two));
  stop();
  stop();
  expect([...hub.listeners.values()]).toEqual(["two"]);
  expect([one, two]).toEqual([["all of one"], ["all of two"]]);
});

test("W3: a page that leaves is forgotten at once, and one that comes back hears all again", () => {
  const { hub, client } = open();
  const heard: string[] = [];
  client.subscribe("env", listener(heard));
  client.leave();
  expect(hub.listeners.size).toBe(0);
  client.returned();
  expect(heard).toEqual(["all of env", "all of env"]);
});

test("W3: a page that was hidden for an hour is kept", async () => {
  const { hub, client } = open();
  client.subscribe("env", listener([]));
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(hub.listeners.size).toBe(1);
});

test("W3: a page that died without a word is forgotten; one that only slept is requested to subscribe again", async () => {
  const { hub, client, line } = open();
  const heard: string[] = [];
  client.subscribe("env", listener(heard));
  line.frozen = true;
  await vi.advanceTimersByTimeAsync(200_000);
  expect(hub.listeners.size).toBe(0);
  line.frozen = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(hub.listeners.size).toBe(1);
  expect(heard).toEqual(["all of env", "all of env"]);
});
