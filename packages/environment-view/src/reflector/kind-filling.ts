import type { KubeObject, WatchEvent } from "@binnacle/kube";

import { KubeClientError } from "../base/kube-client.ts";
import { placeOf, type Refilling } from "../objects/kept-objects.ts";

/** A server whose list has no end repeats itself: reading stops beyond this many events for each object that may be retained. */
const MAX_EVENTS_PER_OBJECT = 4;

/**
 * How far the initial events have come.
 * - `more`: go on.
 * - `complete`: these are all objects.
 * - `not-streamed`: the server does not know streamed lists, and will never say that these are all.
 * - `too-many`: beyond the limit, of objects or of their bytes; in pages the reading can stop there.
 * - `expired`: begin again.
 */
export type FillingState = "more" | "complete" | "not-streamed" | "too-many" | "expired";

/** Collects the initial events of a streamed list, projected one by one, until the server says that these are all. */
export class KindFilling {
  readonly #kept: Refilling;
  readonly #maxEvents: number;
  readonly #project: (object: KubeObject) => KubeObject;
  readonly #objects = new Map<string, KubeObject>();
  #events = 0;
  /** Where the watch goes on; empty until complete. */
  resourceVersion = "";

  constructor(options: { readonly kept: Refilling; readonly maxObjects: number; readonly project: (object: KubeObject) => KubeObject }) {
    this.#kept = options.kept;
    this.#maxEvents = MAX_EVENTS_PER_OBJECT * Math.max(options.maxObjects, 1_000);
    this.#project = options.project;
  }

  /** What has come so far; all there is once complete. */
  get objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  /** Takes an event in. @throws KubeClientError when the server ends the stream with an error other than 410 */
  take(event: WatchEvent): FillingState {
    if (event.type === "ERROR" && event.status.code !== 410) {
      throw new KubeClientError("api", event.status.message, { status: event.status });
    }
    this.#events += 1;
    if (this.#events > this.#maxEvents) return "too-many";
    switch (event.type) {
      case "ADDED":
      case "MODIFIED": {
        const object = this.#project(event.object);
        if (this.#kept.add(object) !== undefined) return "too-many";
        this.#objects.set(placeOf(object), object);
        return "more";
      }
      case "DELETED":
        this.#kept.remove(event.object);
        this.#objects.delete(placeOf(event.object));
        return "more";
      case "BOOKMARK":
        this.resourceVersion = event.resourceVersion;
        // A server that sends initial events sends no other bookmark before they end.
        return event.initialEventsEnd ? "complete" : "not-streamed";
      case "ERROR":
        break;
    }
    return "expired";
  }
}
