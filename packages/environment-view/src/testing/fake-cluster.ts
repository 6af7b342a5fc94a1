import { sleep, type Clock } from "@binnacle/rpc";
import { createStatus, type KubeObject, type KubernetesStatus, type ObjectList, type ResourceKind, type WatchEvent } from "@binnacle/kube";

import { isFor, isIn, NEW_WATCHER, type Change, type Page, type Watcher } from "./fake-history.ts";
import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "../base/kube-client.ts";
import { kindId } from "../scope/kind-plan.ts";

const BROKEN = new KubeClientError("connection", "the watch broke off");

/** A kind as tests name it: "apps/v1/deployments/Deployment". */
export function kindOf(text: string): ResourceKind {
  const [group = "", version = "", resource = "", kind = ""] = text.split("/");
  return { group, version, resource, kind, namespaced: true, verbs: ["get", "list", "watch"], subresources: ["status"], shortNames: [] };
}

/** A Kubernetes API in memory for the tests of the view: list, watch with history, 410, RBAC, and an agent that can go away. */
export class FakeCluster implements KubeClient {
  readonly requests: string[] = [];
  /** How far its clock is ahead of that of the client. */
  aheadMs: number | undefined;
  /** Requests with their namespace, "list /pods@app"; nothing after the @ for all namespaces. */
  readonly places: string[] = [];
  /** Kinds, "/pods", and kinds in a namespace, "/pods@app" or "/pods@" for the list of all. */
  readonly forbidden = new Set<string>();
  readonly forbiddenWatch = new Set<string>();
  /** The most watches that were open or being opened at a time. */
  mostWatches = 0;
  /** Requests that reach the cluster fail like this while set. */
  outage: KubeClientError | undefined;
  /** How long a request takes, on the clock. */
  slowMs = 0;
  clock: Clock | undefined;
  /** Requests never settle while true, as with a stopped agent. */
  hanging = false;
  /** Requests for these kinds fail like this. */
  readonly failing = new Map<string, KubeClientError>();
  /** Requests for these kinds are not answered until they are taken out and `thaw` is called. */
  readonly unanswered = new Set<string>();
  /** Kinds that discovery names and no server serves. */
  readonly unserved = new Set<string>();
  /** Streamed lists are refused like this while set; servers older than 1.27 do. */
  streamRefusal: KubeClientError | undefined;
  /** Watches and streamed lists are refused like this while set, as by a kas whose agent carries no more. */
  watchRefusal: KubeClientError | undefined;
  /** Streamed lists break off after so many initial events while set. */
  streamBreaksAfter: number | undefined;
  /** Watches that break end as if all were well. */
  endsQuietly = false;
  /** Watches end well as soon as they are accepted while true, as behind a proxy that cannot hold them. */
  watchesEndAtOnce = false;
  /** Watches bring this error and nothing else while set. */
  watchError: KubernetesStatus | undefined;
  /** Changes overtake the end of the initial events, as they may in a server whose cache is behind. */
  changesBeforeEnd = false;
  /** Streamed lists are held back after so many events, until they are released. */
  streamsHeldAfter: number | undefined;
  /** Streamed lists are taken for a plain watch: no initial event, no end of them. */
  ignoresInitialEvents = false;
  /** How long the newest watch may last. */
  lastTimeoutSeconds = 0;
  /** Absent by default: then kinds are listed in pages. */
  readonly stream?: (request: KindStreamRequest, signal: AbortSignal) => AsyncIterable<WatchEvent>;
  readonly #kinds = new Map<string, ResourceKind>();
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #watchers = new Set<Watcher>();
  readonly #pages = new Map<string, Page>();
  /** Everything stands still, as with SIGSTOP: requests and watches, which go on where they were. */
  #frozen = false;
  readonly #standing = new Set<() => void>();
  #history: Change[] = [];
  #compactedAt = 0;
  #version = 100;
  #discoveries = 1;
  #watching = 0;

  constructor(kinds: readonly ResourceKind[], options: { readonly streams?: boolean } = {}) {
    for (const kind of kinds) this.#kinds.set(kindId(kind), kind);
    if (options.streams === true) this.stream = (request, signal) => this.#counted(this.#stream(request, signal));
  }

  /** What the cluster holds of a kind, by name. @param namespace empty for all */
  objectsOf(id: string, namespace = ""): readonly KubeObject[] {
    const objects = [...(this.#objects.get(id)?.values() ?? [])];
    return objects.filter((object) => isIn(object, namespace)).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  /** Lets go of streamed lists that are held back, now and from now on. */
  releaseStreams(): void {
    this.streamsHeldAfter = undefined;
    for (const watcher of this.#watchers) {
      watcher.left = undefined;
      watcher.wake();
    }
  }

  /** Stops as SIGSTOP does: no request is answered and no watch brings anything, though none breaks. */
  freeze(): void {
    this.#frozen = true;
  }

  /** Goes on, with all that has piled up. */
  thaw(): void {
    this.#frozen = false;
    for (const goOn of this.#standing) goOn();
    for (const watcher of this.#watchers) watcher.wake();
  }

  /** Watches that are open bring nothing any more and do not break, as behind a NAT that has forgotten them; others may be opened. */
  freezeWatches(): void {
    for (const watcher of this.#watchers) watcher.left = 0;
  }

  /** Restores an earlier state, as after a restore of etcd: no client is notified. */
  restore(id: string, names: readonly string[]): void {
    const objects = this.#objects.get(id) ?? new Map<string, KubeObject>();
    for (const name of objects.keys()) if (!names.includes(name)) objects.delete(name);
    this.#version = 50;
    this.#history = [];
  }

  /** Tells every watch how far the history is, as a server does about once a minute. */
  bookmark(): void {
    for (const watcher of this.#watchers) {
      // Never before what it stands for, and a broken watch says nothing any more.
      if (watcher.queue.length > 0 || watcher.failure) continue;
      watcher.queue.push({ type: "BOOKMARK", resourceVersion: String(this.#version), initialEventsEnd: false });
      watcher.wake();
    }
  }

  addKind(kind: ResourceKind): void {
    this.#kinds.set(kindId(kind), kind);
    this.#discoveries += 1;
  }

  removeKind(kind: ResourceKind): void {
    this.#kinds.delete(kindId(kind));
    this.#objects.delete(kindId(kind));
    this.#discoveries += 1;
  }

  /** Creates or changes an object; gives back what is stored. */
  put(id: string, object: KubeObject): KubeObject {
    this.#version += 1;
    const objects = this.#objects.get(id) ?? new Map<string, KubeObject>();
    this.#objects.set(id, objects);
    const { name, namespace = "app" } = object.metadata;
    const place = namespace === "app" ? name : `${namespace}/${name}`;
    const uid = object.metadata.uid ?? objects.get(place)?.metadata.uid ?? `uid-${name}-${this.#version}`;
    const stored = { ...object, metadata: { ...object.metadata, namespace, uid, resourceVersion: String(this.#version) } };
    const type = objects.has(place) ? "MODIFIED" : "ADDED";
    objects.set(place, stored);
    this.#emit(id, { type, object: stored });
    return stored;
  }

  /** @param name with its namespace before it, "prod/web", when that is not "app" */
  delete(id: string, name: string): void {
    const object = this.#objects.get(id)?.get(name);
    if (!object) return;
    this.#objects.get(id)?.delete(name);
    this.#version += 1;
    this.#emit(id, { type: "DELETED", object: { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } } });
  }

  /** Forgets the history: older resourceVersions are 410 from now on. */
  compact(): void {
    this.#compactedAt = this.#version;
    this.#history = [];
  }

  /** Breaks every open watch; what is on its way is lost. */
  disconnect(failure = BROKEN): void {
    for (const watcher of this.#watchers) {
      watcher.queue.length = 0;
      watcher.left = undefined;
      watcher.failure = failure;
      watcher.wake();
    }
  }

  openWatches(id?: string): number {
    return [...this.#watchers].filter((watcher) => id === undefined || watcher.kindId === id).length;
  }

  /** Fails when a watch was left open. */
  assertIdle(): void {
    if (this.#watchers.size > 0) throw new Error(`${this.#watchers.size} watches were left open`);
  }

  /** How often a request was made, "list apps/deployments" or "probe …" or "watch …". */
  count(request: string): number {
    return this.requests.filter((made) => made === request).length;
  }

  async discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    await this.#reach("discover", signal);
    return etag === String(this.#discoveries) ? undefined : { kinds: [...this.#kinds.values()], etag: String(this.#discoveries) };
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    const id = kindId(request.kind);
    const verb = request.limit === 1 ? "probe" : request.continueToken === undefined ? "list" : "page";
    this.places.push(`${verb} ${id}@${request.namespace}`);
    await this.#reach(`${verb} ${id}`, signal);
    await this.#answered(id, signal);
    this.#authorise(request, this.forbidden);
    const page = request.continueToken === undefined ? this.#firstPage(id, request.namespace) : this.#pages.get(request.continueToken);
    if (!page || page.version < this.#compactedAt) {
      throw new KubeClientError("api", "the continue parameter is too old", { status: createStatus(410, "too old") });
    }
    const rest = page.objects.slice(request.limit);
    const continueToken = rest.length > 0 ? `${page.version}/${id}/${request.namespace}/${rest.length}` : "";
    this.#pages.set(continueToken, { ...page, objects: rest });
    return {
      items: page.objects.slice(0, request.limit),
      resourceVersion: String(page.version),
      continueToken,
      remaining: rest.length > 0 ? rest.length : undefined,
    };
  }

  /** A list is as of its first page, however much happens until its last. */
  #firstPage(id: string, namespace: string): Page {
    return { version: this.#version, objects: this.objectsOf(id, namespace) };
  }

  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return this.#counted(this.#watch(request, signal));
  }

  async *#counted(events: AsyncIterable<WatchEvent>): AsyncIterable<WatchEvent> {
    this.#watching += 1;
    this.mostWatches = Math.max(this.mostWatches, this.#watching);
    try {
      yield* events;
    } finally {
      this.#watching -= 1;
    }
  }

  async *#watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const id = kindId(request.kind);
    const { namespace } = request;
    this.places.push(`watch ${id}@${namespace}`);
    await this.#reach(`watch ${id}`, signal);
    await this.#answered(id, signal);
    if (this.watchRefusal) throw this.watchRefusal;
    this.#authorise(request, this.forbidden);
    this.#authorise(request, this.forbiddenWatch);
    request.opened?.();
    if (this.watchesEndAtOnce) return;
    if (this.watchError) {
      yield { type: "ERROR", status: this.watchError };
      return;
    }
    const from = Number(request.resourceVersion);
    if (from < this.#compactedAt) {
      yield { type: "ERROR", status: createStatus(410, "too old resource version") };
      return;
    }
    const missed = this.#history
      .filter((change) => change.kindId === id && change.version > from && isFor(change.event, namespace))
      .map(({ event }) => event);
    yield* this.#follow({ ...NEW_WATCHER, kindId: id, namespace, queue: missed }, request, signal);
  }

  async *#stream(request: KindStreamRequest, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const id = kindId(request.kind);
    const { namespace } = request;
    this.places.push(`stream ${id}@${namespace}`);
    await this.#reach(`stream ${id}`, signal);
    await this.#answered(id, signal);
    if (this.watchRefusal) throw this.watchRefusal;
    if (this.streamRefusal) throw this.streamRefusal;
    this.#authorise(request, this.forbidden);
    this.#authorise(request, this.forbiddenWatch);
    request.opened?.();
    const whole: WatchEvent[] = this.objectsOf(id, namespace).map((object) => ({ type: "ADDED", object }));
    whole.push({ type: "BOOKMARK", resourceVersion: String(this.#version), initialEventsEnd: true });
    const queue = this.ignoresInitialEvents ? [] : whole.slice(0, this.streamBreaksAfter);
    const failure = queue.length === whole.length || this.ignoresInitialEvents ? undefined : BROKEN;
    const watcher = { ...NEW_WATCHER, kindId: id, namespace, queue, failure, left: this.streamsHeldAfter };
    yield* this.#follow(watcher, request, signal);
  }

  /** What a watcher is sent, from now on. */
  async *#follow(watcher: Watcher, { timeoutSeconds = 0 }: KindStreamRequest, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.lastTimeoutSeconds = timeoutSeconds;
    watcher.ended = signal.aborted;
    this.#watchers.add(watcher);
    const stop = (): void => {
      watcher.ended = true;
      watcher.wake();
    };
    signal.addEventListener("abort", stop, { once: true });
    // Without a clock nothing takes time; what is held back does not arrive, the end of the watch neither.
    const cancel = timeoutSeconds === 0 ? undefined : this.clock?.after(timeoutSeconds * 1_000, () => watcher.left === 0 || stop());
    try {
      while (!watcher.ended) {
        const event = watcher.left === 0 || this.#frozen ? undefined : watcher.queue.shift();
        if (event) {
          if (watcher.left !== undefined) watcher.left -= 1;
          yield event;
        } else if (watcher.failure && watcher.left !== 0 && this.endsQuietly) return;
        else if (watcher.failure && watcher.left !== 0) throw watcher.failure;
        else await new Promise<void>((resolve) => (watcher.wake = resolve));
      }
    } finally {
      cancel?.();
      signal.removeEventListener("abort", stop);
      this.#watchers.delete(watcher);
    }
  }

  async get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    await this.#reach(`get ${kindId(request.kind)}`, signal);
    const object = this.#objects.get(kindId(request.kind))?.get(request.name);
    if (!object) throw new KubeClientError("api", "not found", { status: createStatus(404, "not found") });
    return object;
  }

  async #reach(request: string, signal: AbortSignal): Promise<void> {
    this.requests.push(request);
    if (this.clock && this.slowMs > 0) await sleep(this.clock, this.slowMs, signal);
    if (this.hanging) {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      throw new KubeClientError("connection", "aborted");
    }
    while (this.#frozen) await this.#thawed(signal);
    if (this.outage) throw this.outage;
  }

  /** The kind's own troubles. */
  async #answered(id: string, signal: AbortSignal): Promise<void> {
    while (this.unanswered.has(id)) await this.#thawed(signal);
    const failure = this.failing.get(id);
    if (failure) throw failure;
  }

  async #thawed(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const goOn = (): void => {
        this.#standing.delete(goOn);
        signal.removeEventListener("abort", goOn);
        resolve();
      };
      this.#standing.add(goOn);
      signal.addEventListener("abort", goOn, { once: true });
      if (signal.aborted) goOn();
    });
    if (signal.aborted) throw new KubeClientError("connection", "aborted");
  }

  #authorise({ kind, namespace }: KindStreamRequest | KindListRequest, refused: ReadonlySet<string>): void {
    const id = kindId(kind);
    const message = `you may not do that with ${id}`;
    // A right to list all namespaces covers each.
    if (refused.has(id) || (refused.has(`${id}@`) && refused.has(`${id}@${namespace}`)))
      throw new KubeClientError("api", message, { status: createStatus(403, message) });
    if (!this.#kinds.has(id) || this.unserved.has(id))
      throw new KubeClientError("api", "not served", { status: createStatus(404, "not served") });
  }

  #emit(id: string, event: WatchEvent): void {
    this.#history.push({ version: this.#version, kindId: id, event });
    for (const watcher of this.#watchers) {
      if (watcher.kindId !== id || watcher.failure || !isFor(event, watcher.namespace)) continue;
      const end = this.changesBeforeEnd ? watcher.queue.findIndex(({ type }) => type === "BOOKMARK") : -1;
      if (end < 0) watcher.queue.push(event);
      else watcher.queue.splice(end, 1, event, { type: "BOOKMARK", resourceVersion: String(this.#version), initialEventsEnd: true });
      watcher.wake();
    }
  }
}
