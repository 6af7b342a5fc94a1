import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OpenedTopic, TopicMessage, TopicReplica } from "../hub/stream-hub.ts";
import { ChannelHub } from "./channel-hub.ts";
import type { PageChannel } from "./page-channel.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** `all`: the whole list; otherwise what follows after `from` items. */
type Content = { readonly all: readonly string[] } | { readonly from: number; readonly more: readonly string[] };
interface Message {
  readonly atMs: number;
  readonly content: Content;
}

/** Takes what follows only where it belongs: anything else would be shown wrongly. */
class List {
  readonly items: string[] = [];
  isKnown = false;

  take(content: Content): void {
    if ("all" in content) this.items.splice(0, this.items.length, ...content.all);
    else if (!this.isKnown || content.from !== this.items.length) throw new Error(`${content.from} does not follow ${this.items.length}`);
    else this.items.push(...content.more);
    this.isKnown = true;
  }
}

class ListReplica implements TopicReplica<Message, number> {
  readonly #list = new List();
  #atMs = 0;

  take({ atMs, content }: Message): boolean {
    this.#list.take(content);
    this.#atMs = atMs;
    return true;
  }
  whole(): readonly Message[] {
    return this.#list.isKnown ? [{ atMs: this.#atMs, content: { all: [...this.#list.items] } }] : [];
  }
  position(): number | undefined {
    return this.#list.isKnown ? this.#list.items.length : undefined;
  }
  heldAtMs(): number {
    return this.#atMs;
  }
  isCurrent(): boolean {
    return this.#list.isKnown;
  }
}

/** A server with a growing list for each topic; a stream goes on from a position, and heartbeats keep it alive. */
class Server {
  readonly lists = new Map<string, string[]>();
  /** How each topic of each stream began. */
  readonly began: (number | undefined)[] = [];
  live = 0;
  most = 0;
  isOver = false;
  readonly #wakes = new Set<() => void>();

  add(topic: string, item: string): void {
    this.lists.set(topic, [...(this.lists.get(topic) ?? []), item]);
    this.wake();
  }

  wake(): void {
    for (const wake of this.#wakes) wake();
  }

  async *open(topics: readonly OpenedTopic<string, number>[], signal: AbortSignal): AsyncGenerator<TopicMessage<Message>> {
    this.live += 1;
    this.most = Math.max(this.most, this.live);
    const sent = new Map<string, number>();
    this.began.push(...topics.map(({ position }) => position));
    let wake = (): void => {};
    const rouse = (): void => wake();
    this.#wakes.add(rouse);
    const beat = setInterval(rouse, 10_000);
    signal.addEventListener("abort", rouse);
    try {
      while (!signal.aborted) {
        if (this.isOver) throw new ConnectError("over", Code.Unauthenticated);
        for (const { id, topic, position } of topics) {
          const [list, from] = [this.lists.get(topic) ?? [], sent.get(topic) ?? position];
          sent.set(topic, list.length);
          const content = from === undefined ? { all: list } : { from, more: list.slice(from) };
          yield { id, message: { atMs: Date.now(), content } };
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      clearInterval(beat);
      this.#wakes.delete(rouse);
      this.live -= 1;
    }
  }
}

/** All channels of a browser. A message arrives a moment later, as a copy. */
class Channels {
  readonly open = new Set<{ readonly name: string; readonly page: Page; readonly listeners: ((data: unknown) => void)[] }>();
  /** No word gets out of these pages, and none in. */
  readonly mute = new Set<Page>();

  openFor(page: Page, name: string): PageChannel {
    const own = { name, page, listeners: [] as ((data: unknown) => void)[] };
    this.open.add(own);
    return {
      send: (message) => {
        const copy: unknown = structuredClone(message);
        if (this.mute.has(page) || !this.open.has(own)) return;
        for (const other of this.open) {
          if (other === own || other.name !== name || this.mute.has(other.page)) continue;
          setTimeout(() => {
            if (this.open.has(other)) for (const listener of other.listeners) listener(copy);
          }, 1);
        }
      },
      listen: (listener) => void own.listeners.push(listener),
      close: () => void this.open.delete(own),
    };
  }
}

const encoder = new TextEncoder();

class Page {
  readonly hub: ChannelHub<string, Message, number>;
  readonly server: Server;
  readonly list = new List();
  readonly heard: string[] = [];
  isVisible = true;

  constructor(channels: Channels, server: Server, name = "binnacle build session") {
    this.server = server;
    this.hub = new ChannelHub<string, Message, number>({
      name,
      openChannel: (channel) => channels.openFor(this, channel),
      isVisible: () => this.isVisible,
      hub: { open: (topics, signal) => server.open(topics, signal), keyOf: (topic) => topic, replica: () => new ListReplica() },
      pack: ({ atMs, content }) => ({ atMs, first: false, bytes: encoder.encode(JSON.stringify(content)) }),
      // Both ends are this file.
      unpack: ({ atMs, bytes }) => ({ atMs, content: JSON.parse(new TextDecoder().decode(bytes)) as Content }),
      parseTopic: (topic) => (typeof topic === "string" ? topic : undefined),
    });
  }

  follow(topic: string): () => void {
    return this.hub.subscribe(topic, {
      take: ({ content }) => this.list.take(content),
      lost: (reason) => void this.heard.push(`lost: ${reason}`),
      unauthenticated: () => void this.heard.push("signed out"),
    });
  }
}

function world(count: number): { readonly channels: Channels; readonly server: Server; readonly pages: Page[] } {
  const [channels, server] = [new Channels(), new Server()];
  return { channels, server, pages: Array.from({ length: count }, () => new Page(channels, server)) };
}

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** Every page shows what the server has. */
function expectAll(pages: readonly Page[], items: readonly string[]): void {
  expect(pages.map(({ list }) => list.items)).toEqual(pages.map(() => items));
}

/** The page that leads; only its hub has a stream. */
function leaderOf(channels: Channels, pages: readonly Page[]): Page {
  const lines = [...channels.open].filter(({ name }) => name.includes(" line "));
  const counts = pages.map((page) => lines.filter((line) => line.page === page).length);
  return pages[counts.indexOf(Math.max(...counts))] ?? new Page(channels, new Server());
}

test.each([2, 20])("W3: %i pages without shared workers are one stream, and all show what the server has", async (count) => {
  const { server, pages } = world(count);
  server.add("env", "a");
  for (const page of pages) page.follow("env");
  await pass(2);
  server.add("env", "b");
  await pass(1);
  expectAll(pages, ["a", "b"]);
  expect([server.live, server.most]).toEqual([1, 1]);
});

test("W3: twenty pages of ten topics are one stream", async () => {
  const { server, pages } = world(20);
  for (const [index, page] of pages.entries()) page.follow(`env-${index % 10}`);
  await pass(2);
  for (let topic = 0; topic < 10; topic += 1) server.add(`env-${topic}`, `of ${topic}`);
  await pass(1);
  expect(pages.map(({ list }) => list.items)).toEqual(pages.map((_, index) => [`of ${index % 10}`]));
  expect([server.live, server.most]).toEqual([1, 1]);
});

test("W3: when the page that leads is closed the others go on from where they are", async () => {
  const { channels, server, pages } = world(4);
  server.add("env", "a");
  for (const page of pages) page.follow("env");
  await pass(2);
  const leader = leaderOf(channels, pages);
  const others = pages.filter((page) => page !== leader);
  server.began.length = 0;
  leader.hub.leave();
  server.add("env", "b");
  await pass(2);
  expectAll(others, ["a", "b"]);
  expect([server.live, server.most, server.began], "taken up, not begun anew").toEqual([1, 1, [1]]);
  expect(others.flatMap(({ heard }) => heard)).toEqual([]);
});

test("W3: a leader that dies in the middle of a message is replaced, and no page has half of the message", async () => {
  const { channels, server, pages } = world(4);
  for (const page of pages) page.follow("env");
  await pass(2);
  const leader = leaderOf(channels, pages);
  const others = pages.filter((page) => page !== leader);
  server.add("env", "a");
  // One page has heard of it, the others never do.
  const [heard, ...deaf] = others;
  for (const page of deaf) channels.mute.add(page);
  await pass(0.5);
  channels.mute.add(leader);
  for (const page of deaf) channels.mute.delete(page);
  expect([heard?.list.items, deaf[0]?.list.items]).toEqual([["a"], []]);
  server.add("env", "b");
  await pass(15);
  expectAll(others, ["a", "b"]);
});

test("W3: a leader that was frozen for an hour follows when it is back, and no page returns to older data", async () => {
  const { channels, server, pages } = world(3);
  server.add("env", "a");
  for (const page of pages) page.follow("env");
  await pass(2);
  const leader = leaderOf(channels, pages);
  channels.mute.add(leader);
  await pass(3_600);
  server.add("env", "b");
  await pass(1);
  channels.mute.delete(leader);
  await pass(10);
  server.add("env", "c");
  await pass(1);
  expectAll(pages, ["a", "b", "c"]);
  expect(server.live).toBe(1);
});

test("W3: a page that leaves while it listens is forgotten, and one that comes back hears all again", async () => {
  const { channels, server, pages } = world(3);
  for (const page of pages) page.follow("env");
  await pass(2);
  const leader = leaderOf(channels, pages);
  const [leaving] = pages.filter((page) => page !== leader);
  leaving?.hub.leave();
  await pass(1);
  expect([...channels.open].filter(({ page }) => page === leaving)).toEqual([]);
  expect([...channels.open].filter(({ page, name }) => page === leader && name.includes(" line "))).toHaveLength(1);
  server.add("env", "a");
  leaving?.hub.returned();
  await pass(2);
  expectAll(pages, ["a"]);
  expect(server.live).toBe(1);
});

test("W3: the leader lets go of a page that died without a word", async () => {
  const { channels, pages } = world(2);
  for (const page of pages) page.follow("env");
  await pass(2);
  const leader = leaderOf(channels, pages);
  for (const page of pages) if (page !== leader) channels.mute.add(page);
  await pass(200);
  expect([...channels.open].filter(({ page, name }) => page === leader && name.includes(" line "))).toHaveLength(0);
});

test("W3: pages of another session or build never meet", async () => {
  const [channels, one, other] = [new Channels(), new Server(), new Server()];
  one.add("env", "of one");
  other.add("env", "of the other");
  const [first, second] = [new Page(channels, one, "binnacle 1 mara"), new Page(channels, other, "binnacle 1 otto")];
  for (const page of [first, second]) page.follow("env");
  await pass(10);
  expect([first.list.items, second.list.items]).toEqual([["of one"], ["of the other"]]);
});

test("W3: every page is notified once that the session has ended", async () => {
  const { server, pages } = world(3);
  for (const page of pages) page.follow("env");
  await pass(2);
  server.isOver = true;
  server.wake();
  await pass(60);
  expect(pages.map(({ heard }) => heard)).toEqual(pages.map(() => ["signed out"]));
});

test("W3: an hour on the clock of the machine changes nothing", async () => {
  const { server, pages } = world(3);
  for (const page of pages) page.follow("env");
  await pass(2);
  for (const hours of [1, -2]) {
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    await pass(20);
    server.add("env", `${hours}`);
    await pass(1);
  }
  expectAll(pages, ["1", "-2"]);
  expect([server.live, server.most]).toEqual([1, 1]);
});

test("W3: pages abandon a leader that sends unreadable messages", async () => {
  const { channels, server, pages } = world(2);
  server.add("env", "a");
  for (const page of pages) page.follow("env");
  await pass(2);
  const liar = new Page(channels, new Server(), "binnacle elsewhere");
  const [from, name] = ["0000000000000000", "binnacle build session"];
  const common = channels.openFor(liar, name);
  const say = (): void => common.send({ from, what: "lead", term: 1_000, visible: true });
  common.listen((data) => {
    const [what, page, line] = ["what", "from", "line"].map((field): unknown => Reflect.get(Object(data), field));
    if (what === "who") say();
    if (what !== "join") return;
    const port = channels.openFor(liar, `${name} line ${from} ${String(page)} ${String(line)}`);
    for (const lie of [{ what: "welcome" }, { what: "message", nr: "x" }, null, 7]) port.send(lie);
    port.listen((request) => {
      const nr: unknown = Reflect.get(Object(request), "nr");
      port.send({ what: "message", nr, packed: { atMs: 1, first: true, bytes: encoder.encode("{{{") } });
    });
  });
  say();
  await pass(30);
  server.add("env", "b");
  await pass(1);
  expectAll(pages, ["a", "b"]);
  expect(server.live).toBe(1);
});

test("W3: pages abandon a leader that serves no page", async () => {
  const { channels, server, pages } = world(3);
  for (const page of pages) page.follow("env");
  await pass(2);
  const common = channels.openFor(new Page(channels, new Server(), "elsewhere"), "binnacle build session");
  common.send({ from: "0000000000000000", what: "lead", term: 1_000, visible: true });
  await pass(30);
  server.add("env", "a");
  await pass(1);
  expectAll(pages, ["a"]);
  expect(server.live).toBe(1);
});
