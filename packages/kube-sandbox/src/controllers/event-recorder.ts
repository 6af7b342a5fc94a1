import { randomBytes } from "node:crypto";

import { ApiError } from "../api-error.ts";
import { timestampOf, type ApiObject } from "../api-object.ts";
import { numberIn } from "../json-tree.ts";
import type { ObjectWriter } from "../object-writer.ts";

/** Content of an Event. */
export interface EventText {
  readonly type?: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** Its reporter: `deployment-controller`, `kubelet`. */
  readonly component: string;
  readonly fieldPath?: string;
}

const STORAGE = "/events";
/** Older Events go when there are more. */
const MAX_EVENTS = 10_000;

/** Writes Events; the same words about the same object only raise the count. */
export class EventRecorder {
  readonly #writer: ObjectWriter;
  readonly #names = new Map<string, { readonly namespace: string; readonly name: string }>();

  constructor(writer: ObjectWriter) {
    this.#writer = writer;
  }

  record(about: ApiObject, text: EventText): void {
    const of = this.#writer.registry.findStorage(STORAGE);
    if (!of) return;
    const { type = "Normal", reason, message, component, fieldPath } = text;
    const namespace = about.metadata.namespace ?? "default";
    const now = timestampOf(this.#writer.clock.now());
    const key = `${about.metadata.uid} ${component} ${reason} ${message}`;
    const known = this.#names.get(key);
    const before = known && this.#writer.store.get(STORAGE, known.namespace, known.name);
    if (before) {
      this.#writer.update(of, { ...before, count: (numberIn(before, "count") ?? 1) + 1, lastTimestamp: now });
      return;
    }
    const { name, uid, resourceVersion } = about.metadata;
    const involvedObject = {
      kind: about.kind,
      ...(about.metadata.namespace === undefined ? {} : { namespace }),
      name,
      uid,
      apiVersion: about.apiVersion,
      resourceVersion,
      ...(fieldPath === undefined ? {} : { fieldPath }),
    };
    const metadata = { name: `${name}.${randomBytes(8).toString("hex")}`, namespace };
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata,
      involvedObject,
      type,
      reason,
      message,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: "",
    };
    try {
      // The writer gives the rest of the metadata.
      const made = this.#writer.create(of, event as unknown as ApiObject);
      this.#names.set(key, { namespace, name: made.metadata.name });
      this.#forgetOldest();
    } catch (error) {
      // A namespace that is ending takes no more Events.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #forgetOldest(): void {
    if (this.#names.size <= MAX_EVENTS) return;
    const [oldest] = this.#names;
    if (!oldest) return;
    this.#names.delete(oldest[0]);
    const of = this.#writer.registry.findStorage(STORAGE);
    const event = this.#writer.store.get(STORAGE, oldest[1].namespace, oldest[1].name);
    if (of && event) this.#writer.delete(of, event);
  }
}
