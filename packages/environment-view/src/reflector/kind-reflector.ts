import { StringPool, type KubeObject, type ObjectList, type WatchEvent } from "@binnacle/kube";
import { Backoff, sleep } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import {
  apiCodeOf,
  isAheadOfServer,
  isTooLarge,
  isWithoutWatch,
  KubeClientError,
  retryAfterMsOf,
  wordsOfFailure,
} from "../base/kube-client.ts";
import { KeptObjects, type Refilling } from "../objects/kept-objects.ts";
import type { KindReflectorOptions, KindReflectorState } from "./kind-reflector-options.ts";
import { fillByPages, PAGE_SIZE } from "./page-filling.ts";
import { Reading, type ReadingState } from "./reading.ts";
import { sampledSince, SourceStanding } from "./source-standing.ts";
import { fillByStream, streamFailureOf, type StreamFailure } from "./stream-filling.ts";
import { VisibleObjects } from "./visible-objects.ts";
import { WatchBounds } from "./watch-bounds.ts";
import { WatchPermission } from "./watch-permission.ts";
import { followWatch, SHORT_WATCH_MS, type WatchFollowingOptions } from "./watch-silence.ts";

const PROBE_INTERVAL_MS = 60_000;
/** So often a short watch may break and is opened again within two seconds: an agent that restarts does that. */
const MAX_SHORT_WATCHES = 3;
/** Why a kind has an age of which there was nothing to watch. */
const ABSENT = words("source/none");
/** A stream that broke this often before its initial events ended is given up for pages. */
const MAX_UNFINISHED = 3;

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
  readonly #reading: Reading;
  readonly #permission: WatchPermission;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  readonly #visible: VisibleObjects;
  readonly #bounds: WatchBounds;
  /** What was read could not be watched, or read to its end, so often in a row, as its version had expired. */
  #expired = 0;
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
    this.#reading = new Reading(options.eager ? "reading" : "probing");
    this.#kept = new KeptObjects(options);
    const changed = (): void => this.#show();
    this.#visible = new VisibleObjects({ target: options.target, kept: this.#kept, project: this.#project, changed });
    this.#permission = new WatchPermission(options);
    this.#standing = new SourceStanding(() => options.target.changed());
    this.#bounds = new WatchBounds({
      ...options,
      standing: this.#standing,
      position: () => this.#reading.resourceVersion,
      one: (signal) => this.#one(signal),
      well: changed,
    });
    this.#backoff = new Backoff({ initialMs: 250, maxMs: 30_000, ...(options.random === undefined ? {} : { random: options.random }) });
  }

  get state(): KindReflectorState {
    return this.#standing.state;
  }

  /** What it does now; `state` is what that has brought. */
  get reading(): ReadingState["name"] {
    return this.#reading.state;
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
    if (this.reading === "probing") {
      if (!(await this.#probe(signal))) return sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
      this.#reading.found();
    }
    if (this.reading === "reading") {
      this.#beginAgain();
      const place = this.#permission.place();
      if (place && (await this.#stream(place, signal))) return;
      await this.#list(signal);
    }
    const place = this.#permission.place();
    if (place && this.#reading.resourceVersion !== undefined) return this.#watch(place, signal);
    // Its watch broke or is wanted elsewhere, and there is no other: what is known may be old.
    const isOld = this.#options.clock.now() - this.#listedAtMs >= SHORT_WATCH_MS;
    if (!isOld && this.state.stale === undefined) this.#show();
    if ((this.#permission.isWaiting && isOld) || !(await this.#permission.wait(signal))) this.#reading.lost();
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
    if (this.#paged || this.#unfinished >= MAX_UNFINISHED) return false;
    const leave = await semaphore.enter();
    const kept = this.#kept.refill();
    const { timeoutSeconds, silence } = this.#bounds.next();
    let rest: AsyncIterable<WatchEvent> | StreamFailure | undefined;
    try {
      rest = await this.#fill(kept, timeoutSeconds, AbortSignal.any([signal, place, silence.signal]));
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
    const openedAtMs = clock.now();
    await this.#follow(rest, { place, silence, openedAtMs: () => openedAtMs }, signal);
    return true;
  }

  /** @returns what follows the initial events, or why there is nothing; `undefined` when this server or identity cannot stream. */
  async #fill(
    kept: Refilling,
    timeoutSeconds: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<WatchEvent> | StreamFailure | undefined> {
    const { client, clock, monitor, target, kind, namespace, metadataOnly, maxObjects } = this.#options;
    const stream = client.stream?.bind(client);
    if (!stream) return undefined;
    const opened = (): void => {
      this.#unfinished += 1;
      this.#granted();
    };
    const request = { kind, namespace, metadataOnly, timeoutSeconds, opened };
    const filled = (objects: readonly KubeObject[], resourceVersion: string): void => {
      this.#unfinished = 0;
      this.#expired = 0;
      this.#visible.hidden = 0;
      kept.commit();
      target.replace(objects, this.#wasWhole());
      this.#reading.read(resourceVersion);
      this.#show();
    };
    try {
      return await fillByStream(
        { open: (inner) => stream(request, inner), clock, monitor, kept, maxObjects, project: this.#project, filled },
        signal,
      );
    } catch (error) {
      return streamFailureOf(error);
    }
  }

  /** Whether there is at least one object; metadata of one is the cheapest way to ask. */
  async #probe(signal: AbortSignal): Promise<boolean> {
    const page = await this.#one(signal);
    if (page.items.length > 0) return true;
    this.#replace([]);
    this.#visible.hidden = 0;
    const asOfMs = this.#options.clock.now();
    this.#standing.settle({ settled: "live", asOfMs, stale: sampledSince(asOfMs, ABSENT), total: 0 });
    return false;
  }

  async #one(signal: AbortSignal): Promise<ObjectList> {
    const { client, kind, namespace, semaphore, monitor } = this.#options;
    const page = await semaphore.run(() => client.list({ kind, namespace, limit: 1, metadataOnly: true }, signal));
    monitor.answered();
    return page;
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
      this.#expired = 0;
      this.#listedAtMs = this.#options.clock.now();
      this.#visible.hidden = hidden;
      this.#visible.why = why;
      // Of a kind of which nothing can be read now, what was read before stays.
      if (resourceVersion === undefined) this.#reading.lost();
      else {
        this.#reading.read(resourceVersion);
        kept.commit();
        target.replace(objects, this.#wasWhole());
      }
      this.#show();
    } finally {
      kept.abandon();
    }
  }

  async #watch(place: AbortSignal, signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, metadataOnly, clock } = this.#options;
    const { timeoutSeconds, silence } = this.#bounds.next();
    const done = this.#bounds.opening();
    let openedAtMs: number | undefined;
    const opened = (): void => {
      openedAtMs = clock.now();
      done();
      this.#granted();
      this.#show();
    };
    const resourceVersion = this.#reading.resourceVersion ?? "";
    const request = { kind, namespace, metadataOnly, resourceVersion, timeoutSeconds, opened };
    const changes = client.watch(request, AbortSignal.any([signal, place, silence.signal]));
    try {
      await this.#follow(changes, { place, silence, openedAtMs: () => openedAtMs ?? clock.now() }, signal);
    } finally {
      done();
    }
  }

  /** Takes changes in until the watch ends, falls silent, or until `place` aborts because another watch needs it more. */
  async #follow(
    changes: AsyncIterable<WatchEvent>,
    watch: Pick<WatchFollowingOptions, "place" | "silence" | "openedAtMs">,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, monitor } = this.#options;
    const lasted = (isShort: boolean): void => {
      this.#shortWatches = isShort && !watch.place.aborted ? this.#shortWatches + 1 : 0;
      if (!isShort) this.#backoff.reset();
    };
    const end = await followWatch(changes, { ...watch, clock, take: (event) => this.#apply(event), lasted }, signal);
    if (end === "silent" && !this.#bounds.gaveUp(watch.silence)) this.#reading.lost();
    // Where it had to go for another one, a list tells what it did not bring.
    if (end !== "ended") return;
    // The server ends watches now and then; so does a dying tunnel. The proof tells them apart.
    monitor.suspect();
    if (this.#shortWatches > 0) await sleep(clock, this.#backoff.nextMs(), signal);
  }

  /** Takes an event in. @returns false when the watch cannot go on from here */
  #apply(event: WatchEvent): boolean {
    switch (event.type) {
      case "BOOKMARK":
        this.#reading.advanced(event.resourceVersion);
        break;
      case "ADDED":
      case "MODIFIED":
        this.#visible.put(event.type, event.object);
        this.#reading.advanced(event.object.metadata.resourceVersion);
        break;
      case "DELETED":
        this.#visible.remove(event.object);
        this.#reading.advanced(event.object.metadata.resourceVersion);
        break;
      case "ERROR":
        if (event.status.code !== 410) throw new KubeClientError("api", event.status.message, { status: event.status });
        this.#reading.lost();
        return false;
    }
    return true;
  }

  /** What was shown until now, and what has just been read, is all there is. */
  #wasWhole(): boolean {
    return this.state.settled === "live" && this.#visible.hidden === 0;
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
    if (code === 403 || code === 404 || code === 405) return this.#refused(code, wordsOfFailure(error), signal);
    if (code !== 410) return this.#failed(error, signal);
    // A continue token or the watch's resourceVersion has expired.
    this.#reading.lost();
    this.#expired += 1;
    return this.#expired > 1 ? this.#failed(error, signal) : sleep(this.#options.clock, this.#backoff.nextMs(), signal);
  }

  /** The API server answers with an error, and says when to ask again, or not. */
  #failed(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const now = clock.now();
    const delayMs = Math.ceil(Math.max(this.#backoff.nextMs(), retryAfterMsOf(error)));
    // A server that is behind catches up; one whose history has gone back never knows this version.
    if (isAheadOfServer(error)) this.#reading.lost();
    this.#standing.fail(wordsOfFailure(error), { sinceMs: now, retryAtMs: now + delayMs });
    return sleep(clock, delayMs, signal);
  }

  async #refused(code: number, why: Words, signal: AbortSignal): Promise<void> {
    const wasListed = this.reading === "following";
    this.#reading.refused();
    // It was the watch: perhaps only the verb `watch` is missing. The next probe tells.
    if (wasListed && code !== 404) return this.#permission.refused();
    this.#permission.forget();
    this.#visible.hidden = 0;
    this.#replace([]);
    const settled = code === 403 ? "forbidden" : "unserved";
    const now = this.#options.clock.now();
    this.#standing.settle({ settled, asOfMs: now, words: why, total: 0, retryAtMs: now + PROBE_INTERVAL_MS });
    await sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
  }

  /** An answer was too large. The way there is well, and so are the other kinds: this one keeps what it has and waits. */
  async #cut(why: Words, signal: AbortSignal): Promise<void> {
    this.#options.monitor.answered();
    this.#reading.lost();
    this.#visible.hidden = Math.max(1, this.#visible.hidden);
    this.#visible.why = why;
    this.#show();
    await sleep(this.#options.clock, PROBE_INTERVAL_MS, signal);
  }

  /** The agent carries no more watches, but it and the way there are well: a list will do, at once unless there was one just now. */
  #sample(retryAfterSeconds: number): void {
    const now = this.#options.clock.now();
    this.#permission.postponed(retryAfterSeconds);
    if (now - this.#listedAtMs >= SHORT_WATCH_MS) this.#reading.lost();
    else this.#show();
  }

  async #disconnected(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, monitor } = this.#options;
    this.#bounds.doubt();
    this.#standing.doubt("way", wordsOfFailure(error), { sinceMs: monitor.answeredAtMs ?? clock.now() });
    const proven = monitor.proven(signal);
    monitor.suspect();
    await proven;
    // All sources are woken at once; the jitter spreads them a little without a long delay. The connection is not to blame when it is proven
    // each time and the watch breaks again.
    const mostMs = 2_000 * 2 ** Math.min(Math.max(0, this.#shortWatches - MAX_SHORT_WATCHES), 8);
    await sleep(clock, Math.min(this.#backoff.nextMs(), mostMs), signal);
  }

  /** The API server has answered: the objects are known, and without a watch they have an age from now on. */
  #show(): void {
    this.#bounds.proved();
    const now = this.#options.clock.now();
    const why = this.#permission.why();
    const asOfMs = why === undefined || !Number.isFinite(this.#listedAtMs) ? now : this.#listedAtMs;
    const rest = { asOfMs, ...(why === undefined ? {} : { stale: { ...sampledSince(asOfMs, why), everyMs: this.#permission.everyMs() } }) };
    const { hidden, why: reason } = this.#visible;
    if (hidden === 0) return this.#standing.settle({ settled: "live", total: 0, ...rest });
    const words = reason === undefined ? {} : { words: reason };
    this.#standing.settle({ settled: "truncated", ...words, total: this.#kept.count + hidden, ...rest });
  }
}
