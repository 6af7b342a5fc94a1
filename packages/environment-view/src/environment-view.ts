import { idOf } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { ConnectionMonitor } from "./connection-monitor.ts";
import { EventIndex } from "./event-index.ts";
import { GraphProjection } from "./graph-projection.ts";
import type { KubeClient } from "./kube-client.ts";
import { countsForHealth, isCore, isMetadataOnly, kindId, kindsInScope } from "./kind-plan.ts";
import { KindSource } from "./kind-source.ts";
import { Lanes } from "./lanes.ts";
import { ObjectStore } from "./object-store.ts";
import { Pace } from "./pace.ts";
import type { ViewMessage, ViewSource } from "./view-model.ts";
import { ViewState, type ViewSubscription } from "./view-state.ts";

/** At most four deltas per second (dashboard.md §8.9). */
const FLUSH_MS = 250;
/** Health changes by time alone, "Unschedulable for more than 5 min": looked at this often. */
const REVIEW_MS = 15_000;
/** Lists and probes at a time. */
const LANES = 8;
const MAX_OBJECTS_PER_KIND = 20_000;

/** The part of a logger that a view uses. */
export interface ViewLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What a view works with. */
export interface EnvironmentViewOptions {
  readonly client: KubeClient;
  /** Empty namespace: all of them. */
  readonly scope: { readonly namespace: string };
  readonly clock: Clock;
  readonly log?: ViewLog;
  /** 0 ≤ random() < 1, for backoff. */
  readonly random?: () => number;
  /** Beyond this a kind is truncated. */
  readonly maxObjectsPerKind?: number;
}

interface RunningSource {
  readonly source: KindSource;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/**
 * One environment as one identity sees it: discovers the kinds, keeps their objects up to date, and tells every subscriber
 * a snapshot and then deltas of nodes, edges, health, sources and connection.
 */
export class EnvironmentView {
  readonly #options: EnvironmentViewOptions;
  readonly #monitor: ConnectionMonitor;
  readonly #projection: GraphProjection;
  readonly #events = new EventIndex();
  readonly #store: ObjectStore;
  readonly #state: ViewState;
  readonly #lanes = new Lanes(LANES);
  readonly #pace: Pace;
  readonly #sources = new Map<string, RunningSource>();
  #kinds: readonly ResourceKind[] = [];
  #watched: ReadonlySet<string> = new Set();
  #etag: string | undefined;
  #discovered = false;
  #complete = false;
  #signal: AbortSignal | undefined;

  constructor(options: EnvironmentViewOptions) {
    this.#options = options;
    const { clock, random } = options;
    this.#projection = new GraphProjection(() => clock.now());
    this.#store = new ObjectStore({
      upsert: (object) => (isEvent(object) ? this.#events.upsert(object) : this.#projection.upsert(object)),
      remove: (object) => (isEvent(object) ? this.#events.remove(object) : this.#projection.remove(idOf(object))),
    });
    this.#pace = new Pace(clock, FLUSH_MS, () => this.#flush());
    this.#monitor = new ConnectionMonitor({
      clock,
      prove: (signal) => this.#discover(signal),
      changed: () => this.#pace.ask(),
      ...(random === undefined ? {} : { random }),
    });
    this.#state = new ViewState(this.#projection.health([]), this.#monitor.connection);
  }

  /** Works until `signal` aborts and everything it opened is closed. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const cancelReview = this.#reviewLater();
    try {
      await this.#monitor.run(signal);
      await Promise.all([...this.#sources.values()].map((running) => running.ended));
    } finally {
      cancelReview();
      this.#pace.stop();
    }
  }

  /** A subscription: `ready` is called whenever there is something to take, never inside another call. */
  open(ready: () => void): ViewSubscription {
    return this.#state.open(ready);
  }

  /** The messages of a subscription of its own, until `signal` aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<ViewMessage> {
    let wake: (() => void) | undefined;
    let ready = false;
    const ring = (): void => {
      ready = true;
      wake?.();
    };
    const subscription = this.open(ring);
    signal.addEventListener("abort", ring, { once: true });
    try {
      while (!signal.aborted) {
        if (!ready) await new Promise<void>((resolve) => (wake = resolve));
        ready = false;
        const message = signal.aborted ? undefined : subscription.take();
        if (message) yield message;
      }
    } finally {
      signal.removeEventListener("abort", ring);
      subscription.close();
    }
  }

  /** Proves the connection now: a new credential may carry what the last one could not. */
  wake(): void {
    if (this.#monitor.connection.state !== "connected") this.#monitor.suspect();
  }

  /** Events about the object with this uid that the view has seen, in no order. */
  eventsOf(uid: string): readonly KubeObject[] {
    return this.#events.of(uid);
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const found = await this.#options.client.discover(this.#etag, signal);
    if (!found || this.#signal === undefined || this.#signal.aborted) return;
    this.#etag = found.etag;
    this.#discovered = true;
    this.#plan(found.kinds, this.#signal);
  }

  /** Starts sources of new kinds and ends those of kinds that left. */
  #plan(kinds: readonly ResourceKind[], signal: AbortSignal): void {
    this.#kinds = kindsInScope(kinds);
    this.#watched = new Set(this.#kinds.slice(0, this.#options.client.maxWatches ?? this.#kinds.length).map(kindId));
    const served = new Map(this.#kinds.map((kind) => [kindId(kind), kind]));
    for (const [id, running] of this.#sources) {
      const kind = served.get(id);
      if (kind && kind.version === running.source.kind.version && kind.kind === running.source.kind.kind) continue;
      running.stop.abort();
      this.#sources.delete(id);
      // Under another version the objects come back with the next list.
      this.#store.replace(id, []);
    }
    for (const [id, kind] of served) if (!this.#sources.has(id)) this.#start(id, kind, signal);
    this.#projection.setKinds(kinds);
    this.#options.log?.debug({ kinds: this.#kinds.length }, "the kinds of a view were planned");
    this.#pace.ask();
  }

  #start(id: string, kind: ResourceKind, signal: AbortSignal): void {
    const { client, clock, scope, random, maxObjectsPerKind = MAX_OBJECTS_PER_KIND } = this.#options;
    const stop = new AbortController();
    const changed = (): void => this.#changed();
    const source = new KindSource({
      kind,
      namespace: scope.namespace,
      client,
      clock,
      monitor: this.#monitor,
      lanes: this.#lanes,
      metadataOnly: isMetadataOnly(kind),
      eager: isCore(kind),
      watched: () => this.#watched.has(id),
      maxObjects: maxObjectsPerKind,
      target: {
        replace: (objects) => {
          if (!stop.signal.aborted) this.#store.replace(id, objects);
          changed();
        },
        upsert: (object) => {
          if (!stop.signal.aborted) this.#store.upsert(id, object);
          changed();
        },
        remove: (object) => {
          this.#store.remove(id, object);
          changed();
        },
        changed,
      },
      ...(random === undefined ? {} : { random }),
    });
    const ended = source.run(AbortSignal.any([signal, stop.signal])).catch((error: unknown) => {
      this.#options.log?.warn({ error, resource: kind.resource }, "a source ended with an error");
    });
    this.#sources.set(id, { source, stop, ended });
  }

  #changed(): void {
    if (this.#complete || !this.#isComplete()) return this.#pace.ask();
    // The first whole picture: whoever has just opened the page waits for it.
    this.#complete = true;
    this.#pace.hurry();
  }

  /** Every source has answered once. */
  #isComplete(): boolean {
    return this.#discovered && [...this.#sources.values()].every(({ source }) => source.state.name !== "loading");
  }

  #flush(): void {
    const sources = [...this.#sources.values()].map(({ source }) => this.#describe(source));
    this.#projection.setAccess(
      sources.map((source) => ({
        group: source.group,
        kind: source.kind,
        // Stale data was complete when it was read: what is missing there is missing, until the next word.
        access: source.state === "live" || source.state === "stale" ? "synced" : "not-visible",
        ...(source.namespace === "" ? {} : { namespaces: [source.namespace] }),
      })),
    );
    this.#projection.flush(this.#state);
    this.#state.setSources(sources);
    this.#state.setConnection(this.#monitor.connection);
    this.#state.setHealth(this.#projection.health(sources));
    // Once complete, always complete: a kind that joins later is loading by itself.
    this.#complete ||= this.#isComplete();
    this.#state.setComplete(this.#complete);
    this.#state.announce();
  }

  #describe(source: KindSource): ViewSource {
    const { kind, namespace, state } = source;
    const id = kindId(kind);
    // A connection that is silent leaves watches open that bring nothing: what they showed last is what we know.
    const silent = state.name === "live" && this.#monitor.connection.state !== "connected";
    const asOfMs = silent ? this.#monitor.answeredAtMs : state.asOfMs;
    return {
      id: `${id}/${namespace}`,
      group: kind.group,
      version: kind.version,
      resource: kind.resource,
      kind: kind.kind,
      namespace,
      state: silent ? "stale" : state.name,
      ...(asOfMs === undefined ? {} : { asOfMs }),
      shown: this.#store.count(id),
      total: state.total,
      message: state.message,
      ...(state.retryAtMs === undefined ? {} : { retryAtMs: state.retryAtMs }),
      countsForHealth: countsForHealth(kind),
    };
  }

  #reviewLater(): () => void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.#options.clock.after(REVIEW_MS, () => {
        this.#projection.review();
        this.#pace.ask();
        again();
      });
    };
    again();
    return () => cancel();
  }
}

function isEvent(object: KubeObject): boolean {
  return object.apiVersion === "v1" && object.kind === "Event";
}
