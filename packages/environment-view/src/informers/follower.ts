import { createStatus, type WatchEvent } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { KubeClientError } from "../base/kube-client.ts";

/** More than these wait for nobody: whoever reads so slowly reads everything again. */
const MOST_WAITING = 10_000;

/** As often as an API server, it says how far it is while nothing changes. */
const BOOKMARK_MS = 60_000;

/** As an API server says it whose history does not reach back so far. */
export const GONE: WatchEvent = { type: "ERROR", status: createStatus(410, "what has changed since then is not known any more") };

/** Somebody who follows the objects of an informer, at his own pace. */
export class Follower {
  /** Empty for all. */
  readonly namespace: string;
  readonly #position: () => string;
  readonly #clock: Clock;
  #waiting: WatchEvent[] = [];
  #failure: KubeClientError | undefined;
  #isLate = false;
  #wake: () => void = () => {};

  /** @param position of the informer's log, for whoever comes back */
  constructor(namespace: string, position: () => string, clock: Clock) {
    this.namespace = namespace;
    this.#position = position;
    this.#clock = clock;
  }

  /** An event for him, unless it is about another namespace. */
  tell(event: WatchEvent): void {
    if (this.#isLate || this.#failure !== undefined) return;
    if ("object" in event && this.namespace !== "" && event.object.metadata.namespace !== this.namespace) return;
    if (this.#waiting.length >= MOST_WAITING) {
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
