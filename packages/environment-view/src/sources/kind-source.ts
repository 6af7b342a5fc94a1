import { StringPool, type KubeObject, type ResourceKind, type WatchEvent } from "@binnacle/kube";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";

import { apiCodeOf, KubeClientError, type KubeClient } from "../kube-client.ts";
import type { SourceStateName } from "../view-model.ts";
import type { ConnectionMonitor } from "./connection-monitor.ts";
import type { Lanes } from "./lanes.ts";
import { fillByStream, type StreamFailure } from "./stream-filling.ts";

const PAGE_SIZE = 500;
const PROBE_INTERVAL_MS = 60_000;
/** A watch that ends sooner than this without an event is not opened again at once. */
const SHORT_WATCH_MS = 1_000;
/** A stream that broke this often before its initial events ended is given up for pages. */
const MOST_UNFINISHED = 3;

/** Answers to a streamed list that say nothing of the list in pages: not known there, not acceptable, or no right to watch. */
const STREAM_REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 415, 422, 501]);

/** Where the objects of a kind go. */
interface KindTarget {
  /** These are all objects of the kind: what is not among them is gone. */
  replace(objects: readonly KubeObject[]): void;
  upsert(object: KubeObject): void;
  remove(object: KubeObject): void;
  /** The state of the source has changed. */
  changed(): void;
}

/** What a source works with. */
export interface KindSourceOptions {
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly monitor: ConnectionMonitor;
  readonly lanes: Lanes;
  readonly target: KindTarget;
  readonly metadataOnly: boolean;
  /** What stays of an object; the pool shares equal texts between those of the source. */
  readonly keep: (object: KubeObject, texts: StringPool) => KubeObject;
  /** List at once; otherwise only after a probe has found an object. */
  readonly eager: boolean;
  /** A watch may be opened; otherwise the kind is listed again every minute. */
  readonly watched: () => boolean;
  readonly maxObjects: number;
  readonly random?: () => number;
}

/** How well a kind is seen. */
export interface KindSourceState {
  readonly name: SourceStateName;
  readonly asOfMs?: number;
  readonly message: string;
  readonly retryAtMs?: number;
  /** Objects that exist, when truncated. */
  readonly total: number;
}

/**
 * Keeps the objects of one kind up to date: probe, fill, watch from there. It fills with a streamed list, on which it goes on
 * watching, and where the server, the client or the size forbid that with a list in pages. A broken watch resumes at the last
 * resourceVersion, so between two disconnects it fills at most once; only 410 makes it fill again, and then the new objects
 * replace the old ones. Half of a filling is never shown.
 */
export class KindSource {
  readonly #options: KindSourceOptions;
  readonly #backoff: Backoff;
  #state: KindSourceState = { name: "loading", message: "", total: 0 };
  #resourceVersion: string | undefined;
  /** Objects are expected: probing is over. */
  #present: boolean;
  #watchRefused = false;
  #truncatedTotal = 0;
  /** Streamed lists do not work here. */
  #paged = false;
  /** Streams in a row that did not come to the end of their initial events. */
  #unfinished = 0;
  readonly #texts = new StringPool();

  readonly #project = (object: KubeObject): KubeObject => this.#options.keep(object, this.#texts);

  constructor(options: KindSourceOptions) {
    this.#options = options;
    this.#present = options.eager;
    this.#backoff = new Backoff({ initialMs: 250, maxMs: 30_000, ...(options.random === undefined ? {} : { random: options.random }) });
  }

  get state(): KindSourceState {
    return this.#state;
  }

  /** Works until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#turn(signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error, signal);
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (!this.#present) {
      if (!(await this.#probe(signal))) return sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
      this.#present = true;
    }
    if (this.#resourceVersion === undefined) {
      if (this.#isWatchable() && (await this.#stream(signal))) return;
      await this.#list(signal);
    }
    if (this.#isWatchable()) return this.#watch(signal);
    await sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
    this.#resourceVersion = undefined;
  }

  #isWatchable(): boolean {
    return this.#options.watched() && !this.#watchRefused && this.#options.kind.verbs.includes("watch");
  }

  /** Fills and goes on watching in one request. @returns false when the kind must be listed in pages */
  async #stream(signal: AbortSignal): Promise<boolean> {
    const { clock, monitor, lanes } = this.#options;
    if (this.#paged || this.#unfinished >= MOST_UNFINISHED) return false;
    const leave = await lanes.enter();
    let rest: AsyncIterable<WatchEvent> | StreamFailure | undefined;
    try {
      rest = await this.#fill(signal);
    } finally {
      // The rest of the stream is a watch like any other, and watches need no lane.
      leave();
    }
    if (rest === "broken" || rest === "expired") {
      if (rest === "broken") monitor.suspect();
      await sleep(clock, this.#backoff.nextMs(), signal);
      return true;
    }
    if (typeof rest !== "object") {
      this.#paged ||= rest !== undefined;
      return false;
    }
    await this.#follow(rest, signal);
    return true;
  }

  /** @returns what follows the initial events, or why there is nothing; `undefined` when this server or identity cannot stream. */
  async #fill(signal: AbortSignal): Promise<AsyncIterable<WatchEvent> | StreamFailure | undefined> {
    const { client, clock, monitor, target, kind, namespace, metadataOnly, maxObjects } = this.#options;
    const stream = client.stream?.bind(client);
    if (!stream) return undefined;
    const opened = (): void => {
      this.#unfinished += 1;
      monitor.answered();
    };
    const request = { kind, namespace, metadataOnly, opened };
    const filled = (objects: readonly KubeObject[], resourceVersion: string): void => {
      this.#unfinished = 0;
      this.#truncatedTotal = 0;
      target.replace(objects);
      this.#resourceVersion = resourceVersion;
      this.#live();
    };
    try {
      return await fillByStream(
        { open: (inner) => stream(request, inner), clock, monitor, maxObjects, project: this.#project, filled },
        signal,
      );
    } catch (error) {
      const code = apiCodeOf(error);
      if (code === undefined || !STREAM_REFUSALS.has(code)) throw error;
      // Rights and definitions come and go; what a server cannot do today it cannot do tomorrow.
      return code === 403 || code === 404 ? undefined : "not-streamed";
    }
  }

  /** Whether there is at least one object; metadata of one is the cheapest way to ask. */
  async #probe(signal: AbortSignal): Promise<boolean> {
    const { client, kind, namespace, lanes, monitor, target } = this.#options;
    const page = await lanes.run(() => client.list({ kind, namespace, limit: 1, metadataOnly: true }, signal));
    monitor.answered();
    if (page.items.length > 0) return true;
    target.replace([]);
    this.#become({ name: "live", asOfMs: this.#options.clock.now(), message: "", total: 0 });
    return false;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, lanes, monitor, target, metadataOnly, maxObjects } = this.#options;
    const objects: KubeObject[] = [];
    let continueToken = "";
    let resourceVersion = "";
    this.#truncatedTotal = 0;
    do {
      const request = { kind, namespace, limit: PAGE_SIZE, metadataOnly, ...(continueToken === "" ? {} : { continueToken }) };
      const page = await lanes.run(() => client.list(request, signal));
      monitor.answered();
      resourceVersion = page.resourceVersion;
      continueToken = page.continueToken;
      for (const item of page.items) objects.push(this.#project(item));
      if (objects.length >= maxObjects && continueToken !== "") {
        this.#truncatedTotal = objects.length + (page.remaining ?? 1);
        break;
      }
    } while (continueToken !== "");
    target.replace(objects);
    this.#unfinished = 0;
    this.#resourceVersion = resourceVersion;
    this.#live();
  }

  #watch(signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, metadataOnly, monitor } = this.#options;
    const opened = (): void => {
      monitor.answered();
      this.#live();
    };
    const request = { kind, namespace, metadataOnly, resourceVersion: this.#resourceVersion ?? "", opened };
    return this.#follow(client.watch(request, signal), signal);
  }

  /** Takes changes in until the watch ends. */
  async #follow(changes: AsyncIterable<WatchEvent>, signal: AbortSignal): Promise<void> {
    const { clock, monitor } = this.#options;
    const openedAtMs = clock.now();
    let events = 0;
    try {
      for await (const event of changes) {
        if (signal.aborted) return;
        if (!this.#apply(event)) break;
        events += 1;
        if (events === 1) this.#backoff.reset();
      }
    } finally {
      if (clock.now() - openedAtMs >= SHORT_WATCH_MS) this.#backoff.reset();
    }
    if (signal.aborted) return;
    // The server ends watches now and then; so does a dying tunnel. The proof tells them apart.
    monitor.suspect();
    if (events === 0 && clock.now() - openedAtMs < SHORT_WATCH_MS) await sleep(clock, this.#backoff.nextMs(), signal);
  }

  /** Takes an event in. @returns false when the watch cannot go on from here */
  #apply(event: WatchEvent): boolean {
    const { target } = this.#options;
    switch (event.type) {
      case "BOOKMARK":
        this.#resourceVersion = event.resourceVersion;
        break;
      case "ADDED":
      case "MODIFIED":
        if (event.type === "ADDED" && this.#truncatedTotal > 0) this.#truncatedTotal += 1;
        else target.upsert(this.#project(event.object));
        this.#resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
        break;
      case "DELETED":
        target.remove(event.object);
        this.#resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
        break;
      case "ERROR":
        if (event.status.code !== 410) throw new KubeClientError("api", event.status.message, { status: event.status });
        this.#resourceVersion = undefined;
        return false;
    }
    return true;
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const code = apiCodeOf(error);
    if (code === undefined) return this.#disconnected(error, signal);
    this.#options.monitor.answered();
    const message = error instanceof Error ? error.message : "";
    switch (code) {
      case 403:
      case 404:
      case 405:
        return this.#refused(code, message, signal);
      case 410: {
        // A continue token or the watch's resourceVersion has expired.
        this.#resourceVersion = undefined;
        return sleep(this.#options.clock, this.#backoff.nextMs(), signal);
      }
      default: {
        const retryAfterMs = error instanceof KubeClientError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        const delayMs = Math.max(this.#backoff.nextMs(), retryAfterMs);
        this.#become({ ...this.#state, name: "error", message, retryAtMs: this.#options.clock.now() + delayMs });
        return sleep(this.#options.clock, delayMs, signal);
      }
    }
  }

  async #refused(code: number, message: string, signal: AbortSignal): Promise<void> {
    const wasListed = this.#resourceVersion !== undefined;
    this.#resourceVersion = undefined;
    this.#present = false;
    if (wasListed && code !== 404) {
      // It was the watch: perhaps only the verb `watch` is missing. The next probe tells.
      this.#watchRefused = true;
      return;
    }
    this.#watchRefused = false;
    this.#options.target.replace([]);
    const name = code === 403 ? "forbidden" : "unserved";
    this.#become({ name, message, total: 0, retryAtMs: this.#options.clock.now() + PROBE_INTERVAL_MS });
    await sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
  }

  async #disconnected(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, monitor } = this.#options;
    const message = error instanceof Error ? error.message : "the connection failed";
    const asOfMs = monitor.answeredAtMs;
    if (this.#state.name !== "loading") {
      this.#become({ name: "stale", message, total: this.#state.total, ...(asOfMs === undefined ? {} : { asOfMs }) });
    }
    const proven = monitor.proven(signal);
    monitor.suspect();
    await proven;
    // Everybody is woken at once; the jitter spreads them a little without making anybody wait long.
    await sleep(clock, Math.min(this.#backoff.nextMs(), 2_000), signal);
  }

  #live(): void {
    const total = this.#truncatedTotal;
    this.#become({ name: total > 0 ? "truncated" : "live", asOfMs: this.#options.clock.now(), message: "", total });
  }

  #become(state: KindSourceState): void {
    this.#state = state;
    this.#options.target.changed();
  }
}
