import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StreamHub, type OpenedTopic, type TopicListener, type TopicReplica } from "./stream-hub.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type SentMessage = { readonly id: number; readonly message: string };

/** A server that counts its streams, and sends the messages of the test. */
class FakeServer {
  readonly opened: (readonly OpenedTopic<string, number>[])[] = [];
  live = 0;
  most = 0;
  #say: ((sent: SentMessage | Error) => void) | undefined;

  open = (topics: readonly OpenedTopic<string, number>[], signal: AbortSignal): AsyncIterable<SentMessage> => {
    this.opened.push(topics);
    return this.#stream(signal);
  };

  /** Says something about a topic, as the newest stream names it. */
  async say(topic: string, message: string): Promise<void> {
    const id = this.opened.at(-1)?.find((each) => each.topic === topic)?.id ?? -1;
    this.#say?.({ id, message });
    await vi.advanceTimersByTimeAsync(0);
  }

  async breakOff(error: Error): Promise<void> {
    this.#say?.(error);
    await vi.advanceTimersByTimeAsync(0);
  }

  async *#stream(signal: AbortSignal): AsyncGenerator<SentMessage> {
    this.live += 1;
    this.most = Math.max(this.most, this.live);
    const queue: (SentMessage | Error)[] = [];
    let wake: (() => void) | undefined;
    this.#say = (sent) => {
      queue.push(sent);
      wake?.();
    };
    signal.addEventListener("abort", () => wake?.());
    try {
      while (!signal.aborted) {
        const sent = queue.shift();
        if (sent instanceof Error) throw sent;
        if (sent !== undefined) yield sent;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.live -= 1;
    }
  }
}

/** Keeps everything, and counts; "end" is the last word. */
class FakeReplica implements TopicReplica<string, number> {
  readonly #all: string[] = [];
  #atMs = 0;
  #isCurrent = false;

  /** "header" says nothing of the cluster. */
  take(message: string): boolean {
    this.#isCurrent = message !== "header";
    if (this.#isCurrent) this.#all.push(message);
    if (this.#isCurrent) this.#atMs = Date.now();
    return message !== "end";
  }

  whole(): readonly string[] {
    return this.#all.length === 0 ? [] : [this.#all.join("+")];
  }

  position(): number | undefined {
    return this.#all.length === 0 ? undefined : this.#all.length;
  }

  heldAtMs(): number {
    return this.#atMs;
  }

  isCurrent(): boolean {
    return this.#isCurrent;
  }
}

class Page implements TopicListener<string> {
  readonly heard: string[] = [];
  take(message: string): void {
    this.heard.push(message);
  }
  lost(reason: string): void {
    this.heard.push(`lost: ${reason}`);
  }
  unauthenticated(): void {
    this.heard.push("signed out");
  }
}

function world(): { readonly server: FakeServer; readonly hub: StreamHub<string, string, number> } {
  const server = new FakeServer();
  return { server, hub: new StreamHub({ open: server.open, keyOf: (topic) => topic, replica: () => new FakeReplica() }) };
}

const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(30);

test("W3: twenty pages of ten topics are one stream", async () => {
  const { server, hub } = world();
  const pages = Array.from({ length: 20 }, (_, index) => {
    const page = new Page();
    hub.subscribe(`env-${index % 10}`, page);
    return page;
  });
  await soon();
  expect(server.opened.map((topics) => topics.length)).toEqual([10]);
  await server.say("env-3", "hello");
  expect(pages.map(({ heard }) => heard.length)).toEqual(Array.from({ length: 20 }, (_, index) => (index % 10 === 3 ? 1 : 0)));
});

test("W3: a page that comes later hears at once all that is known, without another stream", async () => {
  const { server, hub } = world();
  hub.subscribe("env", new Page());
  await soon();
  await server.say("env", "a");
  await server.say("env", "b");
  const late = new Page();
  hub.subscribe("env", late);
  expect(late.heard).toEqual(["a+b"]);
  await soon();
  expect(server.opened).toHaveLength(1);
});

test("W3: a topic that comes later opens the stream anew, from the positions of the others, without messages to listeners", async () => {
  const { server, hub } = world();
  const first = new Page();
  hub.subscribe("one", first);
  await soon();
  await server.say("one", "a");
  hub.subscribe("two", new Page());
  await soon();
  expect(server.opened.at(-1)?.map(({ topic, position }) => [topic, position])).toEqual([
    ["one", 1],
    ["two", undefined],
  ]);
  expect(server.most, "one at a time").toBe(1);
  await server.say("one", "b");
  expect(first.heard).toEqual(["a", "b"]);
});

test("W3: a topic that everybody has left is followed for ten seconds more, and then no stream is left", async () => {
  const { server, hub } = world();
  const leave = hub.subscribe("env", new Page());
  await soon();
  leave();
  await vi.advanceTimersByTimeAsync(9_000);
  const back = hub.subscribe("env", new Page());
  await vi.advanceTimersByTimeAsync(9_000);
  expect([server.live, server.opened.length]).toEqual([1, 1]);
  back();
  await vi.advanceTimersByTimeAsync(11_000);
  expect([server.live, hub.size]).toEqual([0, 0]);
});

test("W3: all listeners are notified of a broken stream, and it resumes where it was", async () => {
  const { server, hub } = world();
  const page = new Page();
  hub.subscribe("env", page);
  await soon();
  await server.say("env", "a");
  await server.breakOff(new Error("cut"));
  const late = new Page();
  hub.subscribe("env", late);
  expect(late.heard, "what is known, and that it is old").toEqual(
    ["a", "lost: [unknown] cut"].map((each) => each.replace("[unknown] ", "")),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(server.opened.at(-1)?.[0]?.position).toBe(1);
  await server.say("env", "b");
  expect(page.heard).toEqual(["a", "lost: cut", "b"]);
});

test("W3: the last word about one topic leaves the others alone, and a page that asks again is answered again", async () => {
  const { server, hub } = world();
  const [one, two] = [new Page(), new Page()];
  hub.subscribe("one", one);
  hub.subscribe("two", two);
  await soon();
  await server.say("one", "end");
  await server.say("two", "a");
  expect([one.heard, two.heard]).toEqual([["end"], ["a"]]);
  hub.subscribe("one", new Page());
  await soon();
  expect(
    server.opened
      .at(-1)
      ?.map(({ topic }) => topic)
      .toSorted(),
  ).toEqual(["one", "two"]);
});

test("W3: all listeners are notified that the session has ended, and no request follows", async () => {
  const { server, hub } = world();
  const pages = [new Page(), new Page()];
  for (const [index, page] of pages.entries()) hub.subscribe(`env-${index}`, page);
  await soon();
  await server.breakOff(new ConnectError("over", Code.Unauthenticated));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(pages.map(({ heard }) => heard)).toEqual([["signed out"], ["signed out"]]);
  expect(server.opened).toHaveLength(1);
});

test("W3: there is no stream without listeners, and later it resumes where it was", async () => {
  const { server, hub } = world();
  const page = new Page();
  hub.subscribe("env", page);
  await soon();
  await server.say("env", "a");
  hub.pause();
  await soon();
  expect(server.live).toBe(0);
  hub.resume();
  await soon();
  expect(server.opened.at(-1)?.[0]?.position).toBe(1);
  await server.say("env", "b");
  expect(page.heard).toEqual(["a", "b"]);
});

test("W3: a single silent topic is requested again, from its position, and then less and less often", async () => {
  const { server, hub } = world();
  const [silent, lively] = [new Page(), new Page()];
  hub.subscribe("silent", silent);
  hub.subscribe("lively", lively);
  await soon();
  await server.say("silent", "a");
  const openedAfter = async (seconds: number): Promise<number> => {
    for (let passed = 0; passed < seconds; passed += 10) {
      await vi.advanceTimersByTimeAsync(10_000);
      await server.say("lively", "b");
    }
    return server.opened.length;
  };
  expect(await openedAfter(30), "within the limit").toBe(1);
  expect(await openedAfter(20)).toBe(2);
  expect(server.opened.at(-1)?.map(({ topic, position }) => [topic, position !== undefined])).toEqual([
    ["silent", true],
    ["lively", true],
  ]);
  expect(await openedAfter(600), "after 90, 180 and 300 s more").toBe(5);
  await server.say("silent", "c");
  expect(silent.heard).toEqual(["a", "c"]);
  expect(await openedAfter(60), "it spoke: the first limit again").toBe(6);
  expect(server.most, "one at a time").toBe(1);
});

test("W3: a topic that has ended, or has no listener any more, is not requested again", async () => {
  const { server, hub } = world();
  hub.subscribe("over", new Page());
  const leave = hub.subscribe("left", new Page());
  hub.subscribe("lively", new Page());
  await soon();
  await server.say("over", "end");
  leave();
  for (let passed = 0; passed < 600; passed += 10) {
    await vi.advanceTimersByTimeAsync(10_000);
    await server.say("lively", "b");
  }
  expect(server.opened.length, "the first stream, and the one without what was left").toBe(2);
});

test("W3: a page with a newer snapshot gets no older one: it waits until the stream has sent content, and gets all of that", async () => {
  const { server, hub } = world();
  hub.subscribe("env", new Page());
  await soon();
  await server.say("env", "a");
  const heldAtMs = Date.now() + 1_000;
  await server.breakOff(new Error("cut"));
  const ahead = new Page();
  hub.subscribe("env", ahead, heldAtMs);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ahead.heard).toEqual(["lost: cut"]);
  await server.say("env", "header");
  await server.say("env", "b");
  await server.say("env", "c");
  expect(ahead.heard.slice(1)).toEqual(["header", "a+b", "c"]);
});

test("W3: a page with an older snapshot gets all at once", async () => {
  const { server, hub } = world();
  hub.subscribe("env", new Page());
  await soon();
  await server.say("env", "a");
  const behind = new Page();
  hub.subscribe("env", behind, Date.now() - 1);
  expect(behind.heard).toEqual(["a"]);
});

test("W3: of more topics than a stream may have the newest are followed, and the pages of the others are notified", async () => {
  const { server, hub } = world();
  const pages = Array.from({ length: 66 }, (_, index) => {
    const page = new Page();
    const leave = hub.subscribe(`env-${index}`, page);
    return { page, leave };
  });
  await soon();
  expect(server.opened.at(-1)?.map(({ topic }) => topic)).toEqual(Array.from({ length: 64 }, (_, index) => `env-${index + 2}`));
  expect(pages.map(({ page }) => page.heard.length)).toEqual([1, 1, ...Array.from({ length: 64 }, () => 0)]);
  expect(pages[0]?.page.heard).toEqual(["lost: too many pages are open in this browser"]);
  pages[65]?.leave();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(
    server.opened.at(-1)?.map(({ topic }) => topic),
    "a topic without listeners makes room",
  ).toContain("env-1");
  await server.say("env-1", "a");
  expect(pages[1]?.page.heard.at(-1)).toBe("a");
});

test("XM5: a sign-out in this browser ends the stream at once, whichever process serves it, and notifies all listeners", async () => {
  const { server, hub } = world();
  const [one, two] = [new Page(), new Page()];
  hub.subscribe("one", one);
  hub.subscribe("two", two);
  await soon();
  await server.say("one", "a");
  hub.signedOut();
  await vi.advanceTimersByTimeAsync(0);
  expect([server.live, one.heard, two.heard]).toEqual([0, ["a", "signed out"], ["signed out"]]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([server.opened.length, one.heard.length]).toEqual([1, 2]);
  // The user has signed in again, and this page makes another request.
  hub.subscribe("one", new Page());
  await soon();
  expect([server.live, server.opened.at(-1)?.map(({ topic, position }) => [topic, position])]).toEqual([1, [["one", undefined]]]);
});
