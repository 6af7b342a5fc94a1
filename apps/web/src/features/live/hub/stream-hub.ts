import { followStream } from "../reconnect.ts";

/** Heartbeats of a topic come every 10 s; one that is silent for so long is requested again. Longer than a whole stream may be silent. */
const SILENCE_MS = 45_000;

/** A topic that stays silent disturbs the others of its stream no more often. */
const LONGEST_SILENCE_MS = 300_000;

/** What a listener hears of a topic. */
export interface TopicListener<M> {
  /** A message; the first one says all that is known. */
  take(message: M): void;
  /** The stream broke, or ended, and is tried again soon. */
  lost(reason: string): void;
  /** The session is over: nothing comes any more. */
  unauthenticated(): void;
}

/** What the hub keeps of a topic, for listeners that come later and for a stream that is opened again. */
export interface TopicReplica<M, P> {
  /** Takes a message in. `false` when the server will send no more of this topic. */
  take(message: M): boolean;
  /** Messages that together say all that is known; none before the first. */
  whole(): readonly M[];
  /** How far it has come; `undefined`: not far enough to take up from there. */
  position(): P | undefined;
  /** When the known state was last confirmed, milliseconds since the epoch; 0: nothing is known. */
  heldAtMs(): number;
  /** The stream of now has sent content: what is known is not only what an earlier one left. */
  isCurrent(): boolean;
}

/** A topic as it is requested from the server. */
export interface OpenedTopic<T, P> {
  /** Names the topic in this stream. */
  readonly id: number;
  readonly topic: T;
  readonly position: P | undefined;
  /** When the known state was last confirmed, milliseconds since the epoch; 0: nothing is known. */
  readonly heldAtMs: number;
}

/** A message of the stream, or that a process between server and page has lost it and retries. */
export type TopicMessage<M> =
  { readonly id: number; readonly message: M; readonly lost?: never } | { readonly id: number; readonly lost: string };

/** What a hub works with. */
export interface StreamHubOptions<T, M, P> {
  /** Opens one stream for all these topics; ends when `signal` aborts. */
  readonly open: (topics: readonly OpenedTopic<T, P>[], signal: AbortSignal) => AsyncIterable<TopicMessage<M>>;
  /** Equal for equal topics. */
  readonly keyOf: (topic: T) => string;
  readonly replica: (topic: T) => TopicReplica<M, P>;
}

/** Pages that are restored together ask for their topics together. */
const GATHER_MS = 30;
/** A topic without listeners is kept this long: a page that is loaded again finds it warm. */
const LINGER_MS = 10_000;
/** The server refuses a stream with more. */
const MAX_TOPICS = 64;

interface RunningTopic<T, M, P> {
  readonly id: number;
  readonly topic: T;
  readonly replica: TopicReplica<M, P>;
  readonly listeners: Set<TopicListener<M>>;
  /** Those of them that have a newer picture than ours: they hear all that is known once the stream of now has sent some of it. */
  readonly ahead: Set<TopicListener<M>>;
  readonly silence: SilenceWatch;
  /** The server has ended it. */
  ended: boolean;
  /** Why its listeners hear nothing new now; absent while the stream is well. */
  lost: string | undefined;
}

/**
 * One stream for everything that the pages of a browser follow. A topic that comes or leaves opens the stream anew, with what
 * is held already, so that the server needs to remember nothing about a browser.
 */
export class StreamHub<T, M, P> {
  readonly #options: StreamHubOptions<T, M, P>;
  readonly #topics = new Map<string, RunningTopic<T, M, P>>();
  #lastId = 0;
  #following: AbortController | undefined;
  /** Ends the stream of now, for one with the topics of then. */
  #reopen: AbortController | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;

  constructor(options: StreamHubOptions<T, M, P>) {
    this.#options = options;
  }

  /** Topics that are followed, also those without listeners. */
  get size(): number {
    return this.#topics.size;
  }

  /**
   * Listens to a topic. The returned function ends that, once.
   *
   * @param heldAtMs from when the listener has a picture already, milliseconds since the epoch: it gets no older one
   */
  subscribe(topic: T, listener: TopicListener<M>, heldAtMs = 0): () => void {
    const key = this.#options.keyOf(topic);
    const known = this.#topics.get(key);
    const running = known !== undefined && !known.ended ? known : this.#begin(key, topic);
    running.listeners.add(listener);
    if (heldAtMs > 0 && running.replica.heldAtMs() <= heldAtMs) running.ahead.add(listener);
    else for (const message of running.replica.whole()) listener.take(message);
    if (running.lost !== undefined) listener.lost(running.lost);
    return () => {
      running.ahead.delete(listener);
      if (!running.listeners.delete(listener) || running.listeners.size > 0) return;
      setTimeout(() => this.#leave(key, running), LINGER_MS);
    };
  }

  /** No page is visible: the stream ends, and the known state is kept. */
  pause(): void {
    this.#isPaused = true;
    this.#gather();
  }

  /** Goes on from where it was. */
  resume(): void {
    this.#isPaused = false;
    this.#gather();
  }

  /** The way to the server is another one now. */
  reopen(): void {
    this.#gather();
  }

  /** The user has signed out in this browser: the stream ends, whichever process serves it, and all listeners are notified that the session is over. */
  signedOut(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#end();
  }

  #begin(key: string, topic: T): RunningTopic<T, M, P> {
    this.#lastId += 1;
    const running: RunningTopic<T, M, P> = {
      id: this.#lastId,
      topic,
      replica: this.#options.replica(topic),
      listeners: new Set(),
      ahead: new Set(),
      silence: new SilenceWatch(() => this.#gather()),
      ended: false,
      lost: undefined,
    };
    this.#topics.set(key, running);
    this.#gather();
    return running;
  }

  #leave(key: string, running: RunningTopic<T, M, P>): void {
    if (running.listeners.size > 0 || this.#topics.get(key) !== running) return;
    this.#topics.delete(key);
    running.silence.rest();
    this.#gather();
  }

  /** Opens the stream anew, soon. */
  #gather(): void {
    if (this.#gathering !== undefined) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#reopen?.abort();
      if (this.#isPaused || this.#open().length === 0) {
        this.#following?.abort();
        this.#following = undefined;
        for (const { silence } of this.#topics.values()) silence.rest();
      } else if (this.#following === undefined) {
        this.#following = new AbortController();
        void this.#follow(this.#following.signal); // settles when aborted or signed out, never rejects
      }
    }, GATHER_MS);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    await followStream(
      {
        open: (inner) => this.#stream(inner),
        take: (sent) => this.#hear(sent),
        lost: (reason) => {
          for (const running of this.#open()) {
            running.silence.rest();
            loseTopic(running, reason);
          }
        },
        unauthenticated: () => this.#end(),
      },
      signal,
    );
    if (this.#following?.signal === signal) this.#following = undefined;
  }

  #end(): void {
    for (const running of this.#open()) {
      running.ended = true;
      running.silence.rest();
      for (const listener of running.listeners) listener.unauthenticated();
    }
  }

  /** The stream of now; when topics come or leave it goes on as the next one. */
  async *#stream(signal: AbortSignal): AsyncGenerator<TopicMessage<M>> {
    while (!signal.aborted) {
      const reopen = new AbortController();
      this.#reopen = reopen;
      const topics = this.#requested();
      try {
        yield* this.#options.open(topics, AbortSignal.any([signal, reopen.signal]));
      } catch (error) {
        if (!reopen.signal.aborted) throw error;
      }
      if (!reopen.signal.aborted) return;
    }
  }

  /** What the next stream is opened for: the newest topics, if there are too many. */
  #requested(): OpenedTopic<T, P>[] {
    const open = this.#open();
    for (const running of open.slice(0, -MAX_TOPICS)) {
      running.silence.rest();
      loseTopic(running, "too many pages are open in this browser");
    }
    return open.slice(-MAX_TOPICS).map(({ id, topic, replica, silence }) => {
      silence.requested();
      return { id, topic, position: replica.position(), heldAtMs: replica.heldAtMs() };
    });
  }

  /** @returns `false` when the server has ended all topics */
  #hear(sent: TopicMessage<M>): boolean {
    const running = this.#topics.values().find((each) => each.id === sent.id);
    if (running === undefined || running.ended) return true;
    if (sent.lost === undefined) this.#take(running, sent.message);
    else loseTopic(running, sent.lost);
    return this.#open().length > 0;
  }

  #take(running: RunningTopic<T, M, P>, message: M): void {
    const { replica, silence, listeners, ahead } = running;
    running.lost = undefined;
    running.ended = !replica.take(message);
    if (running.ended) silence.rest();
    else silence.heard();
    const caughtUp = replica.isCurrent() ? new Set(ahead) : new Set();
    for (const listener of listeners) {
      for (const each of caughtUp.has(listener) ? replica.whole() : [message]) listener.take(each);
      if (caughtUp.has(listener)) ahead.delete(listener);
    }
  }

  /** Topics of which more may come. */
  #open(): RunningTopic<T, M, P>[] {
    return [...this.#topics.values()].filter(({ ended }) => !ended);
  }
}

function loseTopic<T, M, P>(running: RunningTopic<T, M, P>, reason: string): void {
  running.lost = reason;
  for (const listener of running.listeners) listener.lost(reason);
}

/** Tells when a topic has been silent for too long while its stream goes on; each time it waits twice as long for the next. */
class SilenceWatch {
  readonly #isSilent: () => void;
  #limitMs = SILENCE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(isSilent: () => void) {
    this.#isSilent = isSilent;
  }

  /** The topic was requested. */
  requested(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#limitMs = Math.min(2 * this.#limitMs, LONGEST_SILENCE_MS);
      this.#isSilent();
    }, this.#limitMs);
  }

  /** A message of the topic arrived. */
  heard(): void {
    this.#limitMs = SILENCE_MS;
    this.requested();
  }

  /** Nothing is expected of it now. */
  rest(): void {
    clearTimeout(this.#timer);
  }
}
