import type { KubeObject, WatchEvent } from "@binnacle/kube";

import { KubeClientError } from "../kube-client.ts";

/**
 * How far the initial events have come.
 * - `more`: go on.
 * - `complete`: these are all objects.
 * - `not-streamed`: the server does not know streamed lists, and will never say that these are all.
 * - `too-many`: beyond the limit; in pages the reading can stop there.
 * - `expired`: begin again.
 */
export type FillingState = "more" | "complete" | "not-streamed" | "too-many" | "expired";

/** Collects the initial events of a streamed list, projected one by one, until the server says that these are all. */
export class KindFilling {
  readonly #maxObjects: number;
  readonly #project: (object: KubeObject) => KubeObject;
  readonly #objects = new Map<string, KubeObject>();
  /** Where the watch goes on; empty until complete. */
  resourceVersion = "";

  constructor(maxObjects: number, project: (object: KubeObject) => KubeObject) {
    this.#maxObjects = maxObjects;
    this.#project = project;
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
    switch (event.type) {
      case "ADDED":
      case "MODIFIED":
        this.#objects.set(placeOf(event.object), this.#project(event.object));
        return this.#objects.size > this.#maxObjects ? "too-many" : "more";
      case "DELETED":
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

function placeOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}
