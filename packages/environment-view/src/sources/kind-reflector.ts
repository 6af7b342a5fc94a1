import { StringPool, type KubeObject, type ObjectList, type WatchEvent } from "@binnacle/kube";
import { Backoff, sleep } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import { apiCodeOf, KubeClientError, wordsOfFailure } from "../kube-client.ts";
import type { ViewStaleness } from "../view-model.ts";
import { KeptObjects, type Refilling } from "./kept-objects.ts";
import type { KindReflectorOptions, KindReflectorState } from "./kind-reflector-options.ts";
import { fillByPages, PAGE_SIZE, wordsOf } from "./page-filling.ts";
import { isTooLarge, isWithoutWatch } from "./source-failure.ts";
import { IN_SIGHT } from "./sighting.ts";
import { SourceStanding } from "./source-standing.ts";
import { fillByStream, type StreamFailure } from "./stream-filling.ts";
import { WatchPermission } from "./watch-permission.ts";

const PROBE_INTERVAL_MS = 60_000;
/** A watch that ends sooner than this, whatever it has brought, is not opened again at once, and ever later when that goes on. */
const SHORT_WATCH_MS = 5_000;
/** So often a short watch may break and is opened again within two seconds: an agent that restarts does that. */
const MOST_SHORT_WATCHES = 3;
/** Why a kind has an age of which there was nothing to watch. */
const ABSENT = words("source/none");
/** A stream that broke this often before its initial events ended is given up for pages. */
const MOST_UNFINISHED = 3;

/** Answers to a streamed list that say nothing of the list in pages: not known there, not acceptable, or no right to watch. */
const STREAM_REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 415, 422, 501]);

/**
 * Keeps the objects of one kind up to date: probe, fill, watch from there. It fills with a streamed list, on which it goes on
 * watching, and where the server, the client or the size forbid that with a list in pages. A broken watch resumes at the last
 * resourceVersion, so between two disconnects it fills at most once; only 410 makes it fill again, and then the new objects
 * replace the old ones. Half of a filling is never shown.
 */
export class KindReflector {
  readonly #options: KindReflectorOptions;
  readonly #backoff: Backoff;
  readonly #standing: SourceStanding;
  #resourceVersion: string | undefined;
  /** Objects are expected: probing is over. */
  #present: boolean;
  readonly #permission: WatchPermission;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  /** Objects that are there and not shown, and why; 0 when all are shown. */
  #hidden = 0;
  #hiddenWhy: Words | undefined;
  /** Watches in a row that ended soon after they had begun. */
  #shortWatches = 0;
  /** Streamed lists do not work here. */
  #paged = false;
  /** Streams in a row that did not come to the end of their initial events. */
  #unfinished = 0;
  readonly #texts = new StringPool();
  readonly #kept: KeptObjects;

  readonly #project = (object: KubeObject): KubeObject => this.#options.keep(object, this.#texts);

  constructor(options: KindReflectorOptions) {
    this.#options = options;
    this.#present = options.eager;
    this.#kept = new KeptObjects(options);
    this.#permission = new WatchPermission(options);
    this.#standing = new SourceStanding(() => options.target.changed());
    this.#backoff = new Backoff({ initialMs: 250, maxMs: 30_000, ...(options.random === undefined ? {} : { random: options.random }) });
  }

  get state(): KindReflectorState {
    return this.#standing.state;
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
      this.#beginAgain();
      const place = this.#permission.place();
      if (place && (await this.#stream(place, signal))) return;
      await this.#list(signal);
    }
    const place = this.#permission.place();
    if (place && this.#resourceVersion !== undefined) return this.#watch(place, signal);
    // Its watch broke or is wanted elsewhere, and there is no other: what is known may be old.
    const isOld = this.#options.clock.now() - this.#listedAtMs >= SHORT_WATCH_MS;
    if (!isOld && this.state.stale === undefined) this.#show();
    if ((this.#permission.isWaiting && isOld) || !(await this.#permission.wait(signal))) this.#resourceVersion = undefined;
  }

  /** Everything is read (again): what was shown is as of the moment at which the history broke off. */
  #beginAgain(): void {
    if (this.state.stale !== undefined) return;
    this.#standing.doubt("way", words("source/read-again"), { sinceMs: this.#options.clock.now() });
  }

  /** A watch was granted. */
  #granted(): void {
    this.#permission.granted();
    this.#options.monitor.answered();
  }

  /** Fills and goes on watching in one request. @returns false when the kind must be listed in pages */
  async #stream(place: AbortSignal, signal: AbortSignal): Promise<boolean> {
    const { clock, monitor, semaphore } = this.#options;
    if (this.#paged || this.#unfinished >= MOST_UNFINISHED) return false;
    const leave = await semaphore.enter();
    const kept = this.#kept.refill();
    let rest: AsyncIterable<WatchEvent> | StreamFailure | undefined;
    try {
      rest = await this.#fill(kept, AbortSignal.any([signal, place]));
    } catch (error) {
      if (!place.aborted || signal.aborted) throw error;
    } finally {
      kept.abandon();
      // The rest of the stream is a watch like any other, and watches need no place.
      leave();
    }
    if (place.aborted && typeof rest !== "object") return false;
    if (rest === "broken" || rest === "expired") {
      if (rest === "broken") monitor.suspect();
      await sleep(clock, this.#backoff.nextMs(), signal);
      return true;
    }
    if (typeof rest !== "object") {
      this.#paged ||= rest !== undefined;
      return false;
    }
    await this.#follow(rest, place, signal);
    return true;
  }

  /** @returns what follows the initial events, or why there is nothing; `undefined` when this server or identity cannot stream. */
  async #fill(kept: Refilling, signal: AbortSignal): Promise<AsyncIterable<WatchEvent> | StreamFailure | undefined> {
    const { client, clock, monitor, target, kind, namespace, metadataOnly, maxObjects } = this.#options;
    const stream = client.stream?.bind(client);
    if (!stream) return undefined;
    const opened = (): void => {
      this.#unfinished += 1;
      this.#granted();
    };
    const request = { kind, namespace, metadataOnly, opened };
    const filled = (objects: readonly KubeObject[], resourceVersion: string): void => {
      this.#unfinished = 0;
      this.#hidden = 0;
      kept.commit();
      target.replace(objects, this.#wasWhole());
      this.#resourceVersion = resourceVersion;
      this.#show();
    };
    try {
      return await fillByStream(
        { open: (inner) => stream(request, inner), clock, monitor, kept, maxObjects, project: this.#project, filled },
        signal,
      );
    } catch (error) {
      // In pages the reading can stop there.
      if (isTooLarge(error)) return "too-many";
      const code = apiCodeOf(error);
      if (code === undefined || !STREAM_REFUSALS.has(code)) throw error;
      // Rights and definitions come and go; what a server cannot do today it cannot do tomorrow.
      return code === 403 || code === 404 ? undefined : "not-streamed";
    }
  }

  /** Whether there is at least one object; metadata of one is the cheapest way to ask. */
  async #probe(signal: AbortSignal): Promise<boolean> {
    const { client, kind, namespace, semaphore, monitor } = this.#options;
    const page = await semaphore.run(() => client.list({ kind, namespace, limit: 1, metadataOnly: true }, signal));
    monitor.answered();
    if (page.items.length > 0) return true;
    this.#replace([]);
    this.#hidden = 0;
    const asOfMs = this.#options.clock.now();
    this.#standing.settle({ settled: "live", asOfMs, stale: sampledSince(asOfMs, ABSENT), total: 0 });
    return false;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, semaphore, monitor, target, metadataOnly, maxObjects } = this.#options;
    const kept = this.#kept.refill();
    const page = async (continueToken: string | undefined): Promise<ObjectList> => {
      const request = { kind, namespace, limit: PAGE_SIZE, metadataOnly, ...(continueToken === undefined ? {} : { continueToken }) };
      const found = await semaphore.run(() => client.list(request, signal));
      monitor.answered();
      return found;
    };
    try {
      const { objects, resourceVersion, hidden, why } = await fillByPages({ page, kept, maxObjects, project: this.#project });
      this.#unfinished = 0;
      this.#listedAtMs = this.#options.clock.now();
      this.#hidden = hidden;
      this.#hiddenWhy = why;
      this.#resourceVersion = resourceVersion;
      // Of a kind of which nothing can be read now, what was read before stays.
      if (resourceVersion !== undefined) {
        kept.commit();
        target.replace(objects, this.#wasWhole());
      }
      this.#show();
    } finally {
      kept.abandon();
    }
  }

  #watch(place: AbortSignal, signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, metadataOnly } = this.#options;
    const opened = (): void => {
      this.#granted();
      this.#show();
    };
    const request = { kind, namespace, metadataOnly, resourceVersion: this.#resourceVersion ?? "", opened };
    return this.#follow(client.watch(request, AbortSignal.any([signal, place])), place, signal);
  }

  /** Takes changes in until the watch ends, or until `place` aborts, which somebody else needs more. */
  async #follow(changes: AsyncIterable<WatchEvent>, place: AbortSignal, signal: AbortSignal): Promise<void> {
    const { clock, monitor } = this.#options;
    const openedAtMs = clock.now();
    const isShort = (): boolean => clock.now() - openedAtMs < SHORT_WATCH_MS;
    try {
      for await (const event of changes) {
        if (signal.aborted || place.aborted) break;
        if (!this.#apply(event)) break;
      }
    } catch (error) {
      if (!place.aborted || signal.aborted) throw error;
    } finally {
      // What it brought says nothing: a server could end every watch after one event.
      this.#shortWatches = isShort() && !place.aborted ? this.#shortWatches + 1 : 0;
      if (!isShort()) this.#backoff.reset();
    }
    // Where it had to go for another one, a list tells what it did not bring.
    if (signal.aborted || place.aborted) return;
    // The server ends watches now and then; so does a dying tunnel. The proof tells them apart.
    monitor.suspect();
    if (isShort()) await sleep(clock, this.#backoff.nextMs(), signal);
  }

  /** Takes an event in. @returns false when the watch cannot go on from here */
  #apply(event: WatchEvent): boolean {
    switch (event.type) {
      case "BOOKMARK":
        this.#resourceVersion = event.resourceVersion;
        break;
      case "ADDED":
      case "MODIFIED":
        this.#changed(event.type, event.object);
        this.#resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
        break;
      case "DELETED":
        this.#gone(event.object);
        this.#resourceVersion = event.object.metadata.resourceVersion ?? this.#resourceVersion;
        break;
      case "ERROR":
        if (event.status.code !== 410) throw new KubeClientError("api", event.status.message, { status: event.status });
        this.#resourceVersion = undefined;
        return false;
    }
    return true;
  }

  /** An object came or changed. What finds no room is counted, not shown; also one that was shown and has grown. */
  #changed(type: "ADDED" | "MODIFIED", object: KubeObject): void {
    const { target } = this.#options;
    const wasKept = this.#kept.has(object);
    if (!wasKept && this.#hidden > 0) return type === "ADDED" ? this.#hide(1) : undefined;
    const projected = this.#project(object);
    const refusal = this.#kept.keep(projected);
    if (refusal === undefined) return target.upsert(projected, { way: "watch", arrived: object, isCreated: type === "ADDED" });
    if (this.#hidden === 0) this.#hiddenWhy = wordsOf(refusal);
    if (wasKept) target.remove(object, IN_SIGHT);
    this.#hide(1);
  }

  #gone(object: KubeObject): void {
    if (this.#kept.drop(object)) this.#options.target.remove(object, { way: "watch", arrived: object });
    // At least one: how many there are was an estimate, and only the next list says that these are all.
    else if (this.#hidden > 1) return this.#hide(-1);
    if (this.#hidden > 0) this.#hide(0);
  }

  /** So many more are not shown. */
  #hide(more: number): void {
    this.#hidden += more;
    this.#show();
  }

  /** What was shown until now, and what has just been read, is all there is. */
  #wasWhole(): boolean {
    return this.state.settled === "live" && this.#hidden === 0;
  }

  #replace(objects: readonly []): void {
    this.#kept.clear();
    this.#options.target.replace(objects, this.#wasWhole());
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const code = apiCodeOf(error);
    if (isTooLarge(error)) return this.#cut(error.words, signal);
    if (isWithoutWatch(error)) return this.#sample(error.retryAfterSeconds ?? 0);
    if (code === undefined) return this.#disconnected(error, signal);
    this.#options.monitor.answered();
    switch (code) {
      case 403:
      case 404:
      case 405:
        return this.#refused(code, wordsOfFailure(error), signal);
      case 410: {
        // A continue token or the watch's resourceVersion has expired.
        this.#resourceVersion = undefined;
        return sleep(this.#options.clock, this.#backoff.nextMs(), signal);
      }
      default: {
        const retryAfterMs = error instanceof KubeClientError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        const delayMs = Math.max(this.#backoff.nextMs(), retryAfterMs);
        const now = this.#options.clock.now();
        this.#standing.fail(wordsOfFailure(error), { sinceMs: now, retryAtMs: now + delayMs });
        return sleep(this.#options.clock, delayMs, signal);
      }
    }
  }

  async #refused(code: number, why: Words, signal: AbortSignal): Promise<void> {
    const wasListed = this.#resourceVersion !== undefined;
    this.#resourceVersion = undefined;
    this.#present = false;
    // It was the watch: perhaps only the verb `watch` is missing. The next probe tells.
    if (wasListed && code !== 404) return this.#permission.refused();
    this.#permission.forget();
    this.#hidden = 0;
    this.#replace([]);
    const settled = code === 403 ? "forbidden" : "unserved";
    const now = this.#options.clock.now();
    this.#standing.settle({ settled, asOfMs: now, words: why, total: 0, retryAtMs: now + PROBE_INTERVAL_MS });
    await sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
  }

  /** An answer was too large. The way there is well, and so are the other kinds: this one keeps what it has and waits. */
  async #cut(why: Words, signal: AbortSignal): Promise<void> {
    this.#options.monitor.answered();
    this.#resourceVersion = undefined;
    this.#hidden = Math.max(1, this.#hidden);
    this.#hiddenWhy = why;
    this.#show();
    await sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
  }

  /** The agent carries no more watches, but it and the way there are well: a list will do, at once unless there was one just now. */
  #sample(retryAfterSeconds: number): void {
    const now = this.#options.clock.now();
    this.#permission.postponed(retryAfterSeconds);
    if (now - this.#listedAtMs >= SHORT_WATCH_MS) this.#resourceVersion = undefined;
    else this.#show();
  }

  async #disconnected(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, monitor } = this.#options;
    this.#standing.doubt("way", wordsOfFailure(error), { sinceMs: monitor.answeredAtMs ?? clock.now() });
    const proven = monitor.proven(signal);
    monitor.suspect();
    await proven;
    // Everybody is woken at once; the jitter spreads them a little without making anybody wait long. It is not the way that is
    // to blame when it is well each time, and the watch breaks again.
    const mostMs = 2_000 * 2 ** Math.min(Math.max(0, this.#shortWatches - MOST_SHORT_WATCHES), 8);
    await sleep(clock, Math.min(this.#backoff.nextMs(), mostMs), signal);
  }

  /** The API server has said what there is; what has no watch has an age from now on. */
  #show(): void {
    const now = this.#options.clock.now();
    const why = this.#permission.why();
    const asOfMs = why === undefined || !Number.isFinite(this.#listedAtMs) ? now : this.#listedAtMs;
    const rest = { asOfMs, ...(why === undefined ? {} : { stale: { ...sampledSince(asOfMs, why), everyMs: this.#permission.everyMs() } }) };
    if (this.#hidden === 0) return this.#standing.settle({ settled: "live", total: 0, ...rest });
    const said = this.#hiddenWhy === undefined ? {} : { words: this.#hiddenWhy };
    this.#standing.settle({ settled: "truncated", ...said, total: this.#kept.count + this.#hidden, ...rest });
  }
}

function sampledSince(sinceMs: number, why: Words): ViewStaleness {
  return { sinceMs, cause: "sampled", words: why };
}
