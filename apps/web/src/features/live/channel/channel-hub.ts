import { browserClock } from "../browser-clock.ts";
import type { PackedMessage, FromHub, ToHub } from "../hub/hub-protocol.ts";
import { StreamHub, type OpenedTopic, type StreamHubOptions, type TopicListener, type TopicMessage } from "../hub/stream-hub.ts";
import type { TopicSource } from "../hub/switched-source.ts";
import { createPageId, parseElectionMessage } from "./election-message.ts";
import { LeaderElection, type Role } from "./leader-election.ts";
import { openLeaderStream } from "./leader-stream.ts";
import type { PageChannel } from "./page-channel.ts";
import { servePage, type HubServerOptions } from "../hub/hub-server.ts";
import { linePort, parseToHub } from "./line-port.ts";

/** Many more than anybody has pages open; beyond, the one that came first is let go, and comes again. */
const MAX_PAGES = 200;

/** What a page needs to share a stream with the others. */
export interface ChannelHubOptions<T, M, P> {
  /** The same for pages that may share, and for no other. */
  readonly name: string;
  readonly openChannel: (name: string) => PageChannel;
  readonly isVisible: () => boolean;
  /** `open` asks the server; only the page that leads does so. */
  readonly hub: StreamHubOptions<T, M, P>;
  readonly pack: (message: M) => PackedMessage;
  readonly unpack: (packed: PackedMessage) => M;
  /** A topic that another page has sent; `undefined` for what is none. */
  readonly parseTopic: (topic: unknown) => T | undefined;
}

/**
 * The hub of a browser without shared workers. Every page has one, with copies of what it follows; one page leads, and its hub asks
 * the server. The hubs of the others ask the leader, on a line that only the two of them know, so that a page never hears two leaders
 * at once. The next leader continues from its own copies.
 */
export class ChannelHub<T, M, P> implements TopicSource<T, M> {
  readonly #options: ChannelHubOptions<T, M, P>;
  readonly #id = createPageId();
  readonly #hub: StreamHub<T, M, P>;
  readonly #election: LeaderElection;
  readonly #served: ServedPages<T, M>;
  #channel: PageChannel;
  #lastLine = 0;

  /** @throws DOMException where the browser forbids channels */
  constructor(options: ChannelHubOptions<T, M, P>) {
    this.#options = options;
    this.#hub = new StreamHub({ ...options.hub, open: (topics, signal) => this.#open(topics, signal) });
    this.#served = new ServedPages({ hub: this.#hub, pack: options.pack }, options.parseTopic);
    this.#channel = this.#listen();
    this.#election = new LeaderElection({
      id: this.#id,
      after: (delayMs, action) => browserClock.after(delayMs, action),
      random: Math.random,
      isVisible: options.isVisible,
      send: (message) => this.#channel.send(message),
      changed: (role) => this.#changed(role),
    });
    this.#election.start();
  }

  subscribe(topic: T, listener: TopicListener<M>): () => void {
    return this.#hub.subscribe(topic, listener);
  }

  /** Call it when the page is shown or hidden. */
  shown(): void {
    this.#election.shown();
  }

  /** The user has signed out in this browser. */
  signedOut(): void {
    this.#hub.signedOut();
  }

  /** The page is left, for now or for good. */
  leave(): void {
    this.#hub.pause();
    this.#election.stop();
    this.#served.clear();
    this.#channel.close();
  }

  /** The page is back out of the browser's cache of pages. */
  returned(): void {
    this.#channel = this.#listen();
    this.#election.start();
    this.#hub.resume();
  }

  #listen(): PageChannel {
    const channel = this.#options.openChannel(this.#options.name);
    channel.listen((data) => {
      const message = parseElectionMessage(data);
      if (message === undefined) return;
      if (message.what !== "join") return this.#election.hear(message);
      const { from, to, line } = message;
      if (to !== this.#id || this.#election.role.kind !== "leading") return;
      this.#served.serve(from, line, () => this.#openLine(to, from, line));
    });
    return channel;
  }

  #changed(role: Role): void {
    // Served pages find the next leader as this page does.
    if (role.kind !== "leading") this.#served.clear();
    this.#hub.reopen();
  }

  #open(topics: readonly OpenedTopic<T, P>[], signal: AbortSignal): AsyncIterable<TopicMessage<M>> {
    const { role } = this.#election;
    if (role.kind === "leading") return this.#options.hub.open(topics, signal);
    if (role.kind === "searching") return nothing(signal);
    const { leader } = role;
    const line = (this.#lastLine += 1);
    return openLeaderStream(
      {
        line: this.#openLine(leader, this.#id, line),
        join: () => this.#channel.send({ what: "join", from: this.#id, to: leader, line }),
        unpack: this.#options.unpack,
        refused: () => this.#election.distrust(leader),
      },
      topics,
      signal,
    );
  }

  #openLine(leader: string, page: string, line: number): PageChannel {
    return this.#options.openChannel(`${this.#options.name} line ${leader} ${page} ${line}`);
  }
}

/** There is no leader yet: the stream hub opens another stream when there is one. */
function nothing(signal: AbortSignal): AsyncIterable<never> {
  const next = async (): Promise<IteratorReturnResult<undefined>> => {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

interface ServedPage {
  readonly line: number;
  readonly end: () => void;
}

/** The other pages that a leading page serves, each on a line of its own. */
class ServedPages<T, M> {
  readonly #options: HubServerOptions<T, M>;
  readonly #parseTopic: (topic: unknown) => T | undefined;
  readonly #pages = new Map<string, ServedPage>();

  constructor(options: HubServerOptions<T, M>, parseTopic: (topic: unknown) => T | undefined) {
    this.#options = options;
    this.#parseTopic = parseTopic;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Serves a page on a new line in place of its last one. A second request for the same line does nothing. */
  serve(page: string, line: number, open: () => PageChannel): void {
    const before = this.#pages.get(page);
    if (before?.line === line) return;
    before?.end();
    if (this.#pages.size >= MAX_PAGES) this.#pages.values().next().value?.end();
    const channel = open();
    const port = linePort<ToHub<T>, FromHub>(channel, (data) => parseToHub(data, this.#parseTopic));
    const served: ServedPage = {
      line,
      end: () => {
        if (this.#pages.get(page) === served) this.#pages.delete(page);
        leave();
        channel.close();
      },
    };
    this.#pages.set(page, served);
    const leave = servePage({ ...this.#options, gone: () => served.end() }, port);
  }

  /** Stops serving all pages. */
  clear(): void {
    for (const { end } of this.#pages.values()) end();
  }
}
