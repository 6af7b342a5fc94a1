import { createStatus, type WatchChange, type WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { KubeClientError } from "../base/kube-client.ts";

/** Maximum number of waiting events: a slower follower reads everything again. */
const MAX_WAITING = 10_000;

/** So many events are remembered for those who were away for a moment. */
const MAX_LOGGED_EVENTS = 1_000;

/** As often as an API server, it says how far it is while nothing changes. */
const BOOKMARK_MS = 60_000;

/** As an API server says it whose history does not reach back so far. */
export const GONE: WatchEvent = { type: "ERROR", status: createStatus(410, "what has changed since then is not known any more") };

/** A subscriber to the objects of an informer, at its own speed. */
export class Follower {
  /** Empty for all. */
  readonly namespace: string;
  readonly #position: () => string;
  readonly #clock: Clock;
  #waiting: WatchEvent[] = [];
  #failure: KubeClientError | undefined;
  #isLate = false;
  #wake: () => void = () => {};

  /** @param position of the informer's log, for followers that resume */
  constructor(namespace: string, position: () => string, clock: Clock) {
    this.namespace = namespace;
    this.#position = position;
    this.#clock = clock;
  }

  /** Adds an event, unless it is about another namespace. */
  tell(event: WatchEvent): void {
    if (this.#isLate || this.#failure !== undefined) return;
    if ("object" in event && this.namespace !== "" && event.object.metadata.namespace !== this.namespace) return;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#isLate = true;
      this.#waiting = [];
    } else this.#waiting.push(event);
    this.#wake();
  }

  /** After what waits, nothing comes any more. */
  fail(failure: KubeClientError): void {
    this.#failure ??= failure;
    this.#wake();
  }

  /** What comes, until `signal` aborts. @throws KubeClientError as of `fail` */
  async *events(signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake, { once: true });
    let isBookmarkDue = false;
    try {
      for (;;) {
        const waiting = this.#waiting;
        this.#waiting = [];
        // The position is of after these, and of nothing that came meanwhile.
        const position = this.#position();
        for (const event of waiting) {
          if (signal.aborted) return;
          yield event;
        }
        if (this.#isLate) {
          yield GONE;
          return;
        }
        if ((waiting.length > 0 || isBookmarkDue) && !signal.aborted)
          yield { type: "BOOKMARK", resourceVersion: position, initialEventsEnd: false };
        if (signal.aborted) return;
        if (this.#waiting.length > 0 || this.#isLate) continue;
        if (this.#failure) throw this.#failure;
        isBookmarkDue = false;
        await new Promise<void>((resolve) => {
          const cancel = this.#clock.after(BOOKMARK_MS, () => {
            isBookmarkDue = true;
            resolve();
          });
          this.#wake = () => {
            cancel();
            resolve();
          };
        });
      }
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }
}

/** The last events of an informer: a follower that was disconnected continues after the last event that it received. */
export class EventLog {
  /** Names this log: what another one has called by a number says nothing here. */
  readonly #name: string;
  #events: WatchChange[] = [];
  /** Events that were there before the first of them. */
  #before = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Where it stands now: good for `since`. */
  get position(): string {
    return `${this.#name}.${this.#before + this.#events.length}`;
  }

  /** @param event is held: it bears no more than what is kept of its object */
  add(event: WatchChange): void {
    this.#events.push(event);
    if (this.#events.length < 2 * MAX_LOGGED_EVENTS) return;
    this.#before += MAX_LOGGED_EVENTS;
    this.#events = this.#events.slice(MAX_LOGGED_EVENTS);
  }

  /**
   * What came after a position, or after the event with that resourceVersion.
   *
   * @returns `undefined` when that is not known
   */
  since(position: string): readonly WatchChange[] | undefined {
    const [name, number] = position.split(".");
    if (name === this.#name) {
      const index = Number(number) - this.#before;
      return index >= 0 && index <= this.#events.length ? this.#events.slice(index) : undefined;
    }
    const index = this.#events.findLastIndex(({ object }) => object.metadata.resourceVersion === position);
    return index < 0 ? undefined : this.#events.slice(index + 1);
  }
}
