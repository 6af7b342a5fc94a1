import type { Clock } from "@binnacle/rpc";

import type { Representation } from "./accept.ts";
import type { ApiObject } from "./api-object.ts";
import { ApiError, badRequest } from "./api-error.ts";
import type { Exchange } from "./exchange.ts";
import { selectionOf } from "./list-request.ts";
import { textFor } from "./representation.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import type { Store, StoreEvent } from "./store.ts";
import { tableText } from "./table.ts";

/** A client that reads slower than this falls behind is cut off; it lists again. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const BOOKMARK_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** What a watch needs besides its request. */
export interface WatchOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly representation: Representation;
}

/**
 * Answers a watch: events from `resourceVersion` on (none or "0": the present objects first), one JSON line each, until the
 * client leaves or `timeoutSeconds` is over. Settles when the stream has ended.
 *
 * @throws ApiError 400 before anything was sent
 */
export function streamWatch(exchange: Exchange, of: ResourceDefinition, options: WatchOptions): Promise<void> {
  const stream = new WatchStream(exchange, of, options);
  return stream.run();
}

class WatchStream {
  readonly #exchange: Exchange;
  readonly #of: ResourceDefinition;
  readonly #options: WatchOptions;
  readonly #matches: (object: ApiObject) => boolean;
  readonly #closers: (() => void)[] = [];
  #columnsSent = false;
  #end: () => void = () => undefined;

  constructor(exchange: Exchange, of: ResourceDefinition, options: WatchOptions) {
    this.#exchange = exchange;
    this.#of = of;
    this.#options = options;
    this.#matches = selectionOf(exchange, of);
  }

  run(): Promise<void> {
    const { query, response, signal } = this.#exchange;
    const { store, clock } = this.#options;
    const from = query.get("resourceVersion") ?? "";
    if (from !== "" && !/^\d+$/.test(from)) throw badRequest(`Invalid value: ${JSON.stringify(from)}: invalid resource version`);
    const initial = query.get("sendInitialEvents");
    if (initial === "true" && query.get("resourceVersionMatch") !== "NotOlderThan") {
      throw new ApiError(
        422,
        "Invalid",
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      );
    }
    return new Promise((resolve) => {
      this.#end = () => {
        for (const close of this.#closers.splice(0)) close();
        if (!response.writableEnded) response.end();
        resolve();
      };
      response.writeHead(200, { "content-type": "application/json", "cache-control": "no-cache, private" });
      response.flushHeaders();
      response.on("close", this.#end);
      signal.addEventListener("abort", this.#end, { once: true });
      this.#closers.push(() => {
        response.off("close", this.#end);
        signal.removeEventListener("abort", this.#end);
      });
      const seconds = Number(query.get("timeoutSeconds") ?? 0);
      this.#closers.push(clock.after(seconds > 0 ? seconds * 1_000 : DEFAULT_TIMEOUT_MS, this.#end));
      if (!this.#begin(from, initial)) return;
      this.#closers.push(store.subscribe((event) => event.storage === this.#of.storage && this.#send(event)));
      if (query.get("allowWatchBookmarks") === "true") this.#bookmarkLater();
    });
  }

  /** What comes before live events; false when the stream is over already. */
  #begin(from: string, initial: string | null): boolean {
    const { store } = this.#options;
    const sendsState = initial === "true" || (initial !== "false" && (from === "" || from === "0"));
    try {
      if (sendsState) {
        for (const object of store.listIn(this.#of.storage, store.revision)) if (this.#matches(object)) this.#line("ADDED", object);
      } else if (from !== "" && from !== "0") for (const event of store.eventsAfter(this.#of.storage, Number(from))) this.#send(event);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#write(`{"type":"ERROR","object":${JSON.stringify(error.body)}}\n`);
      this.#end();
      return false;
    }
    if (initial === "true" && this.#exchange.query.get("allowWatchBookmarks") === "true")
      this.#bookmark({ "k8s.io/initial-events-end": "true" });
    return true;
  }

  /** An event as this watch's selection sees it: an object that stops matching is gone for it. */
  #send({ type, object, previous }: StoreEvent): void {
    const was = previous !== undefined && this.#matches(previous);
    const is = type !== "DELETED" && this.#matches(object);
    if (was && is) this.#line("MODIFIED", object);
    else if (is) this.#line("ADDED", object);
    else if (was) {
      const last =
        type === "DELETED" ? object : { ...previous, metadata: { ...previous.metadata, resourceVersion: object.metadata.resourceVersion } };
      this.#line("DELETED", last);
    }
  }

  #line(type: string, object: ApiObject): void {
    const { representation } = this.#options;
    const text = representation === "Table" ? this.#table(object) : textFor(object, this.#of, representation);
    this.#write(`{"type":"${type}","object":${text}}\n`);
  }

  #table(object: ApiObject): string {
    const metadata = JSON.stringify({ resourceVersion: object.metadata.resourceVersion });
    const withColumns = !this.#columnsSent;
    this.#columnsSent = true;
    const include = this.#exchange.query.get("includeObject") ?? "Metadata";
    return tableText([object], { of: this.#of, include, now: this.#options.clock.now(), metadata, withColumns });
  }

  #bookmarkLater(): void {
    const cancel = this.#options.clock.after(BOOKMARK_MS, () => {
      this.#bookmark();
      this.#bookmarkLater();
    });
    this.#closers.push(cancel);
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    const partial = this.#options.representation === "PartialObjectMetadata";
    const metadata = {
      resourceVersion: String(this.#options.store.revision),
      creationTimestamp: null,
      ...(annotations ? { annotations } : {}),
    };
    const object = {
      kind: partial ? "PartialObjectMetadata" : this.#of.kind,
      apiVersion: partial ? "meta.k8s.io/v1" : apiVersionOf(this.#of),
      metadata,
    };
    this.#write(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}\n`);
  }

  #write(line: string): void {
    const { response } = this.#exchange;
    if (response.destroyed || response.writableEnded) return;
    response.write(line);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }
}
