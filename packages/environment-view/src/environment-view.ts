import { idOf, isEvent, type CustomEdgeRule } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { ByteBudget } from "./byte-budget.ts";
import type { HealthRules } from "./health-rules.ts";
import type { KubeClient } from "./kube-client.ts";
import { Pace } from "./pace.ts";
import { EventIndex } from "./projection/event-index.ts";
import { GraphProjection } from "./projection/graph-projection.ts";
import { ConnectionMonitor } from "./sources/connection-monitor.ts";
import { countsForHealth, isCore, isMetadataOnly } from "./sources/kind-plan.ts";
import { KindSource } from "./sources/kind-source.ts";
import { Lanes } from "./sources/lanes.ts";
import { ObjectKeeper } from "./sources/object-keeper.ts";
import { ObjectStore } from "./sources/object-store.ts";
import { accessOf } from "./sources/source-access.ts";
import { planSources, type PlannedSource } from "./sources/source-plan.ts";
import type { ViewMessage, ViewSource } from "./view-model.ts";
import type { ViewScope } from "./view-scope.ts";
import { ViewState, type ViewSubscription } from "./view-state.ts";

/** At most four deltas per second (docs/design/stream.md "Pace of deltas"). */
const FLUSH_MS = 250;
/** Health changes by time alone, "Unschedulable for more than 5 min": looked at this often. */
const REVIEW_MS = 15_000;
/** Every so many looks it is asked anew why: that costs ten times as much, and changes are mostly noticed when they come. */
const THOROUGH_REVIEW = 4;
/** Lists and probes at a time. */
const LANES = 8;
const MAX_OBJECTS_PER_KIND = 20_000;
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
/** Kinds that a view reads at most, core ones first: a cluster may name as many as it likes. */
const MAX_SOURCES = 5_000;

/** The part of a logger that a view uses. */
export interface ViewLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What a view works with. */
export interface EnvironmentViewOptions {
  readonly client: KubeClient;
  readonly scope: ViewScope;
  /** Rules of users, which win over the built-in ones. */
  readonly rules?: HealthRules;
  /** Edges of users on top of the catalogue, as `parseCustomEdges` of `@binnacle/graph` reads them. */
  readonly customEdges?: readonly CustomEdgeRule[];
  readonly clock: Clock;
  readonly log?: ViewLog;
  /** 0 ≤ random() < 1, for backoff. */
  readonly random?: () => number;
  /** Beyond this a kind is truncated. */
  readonly maxObjectsPerKind?: number;
  /**
   * What the objects that are kept may weigh together, about their bytes in memory; a kind that finds no room is truncated. Part of
   * a budget of the process where there are many views; closed when the view ends. Default: 64 MiB of its own.
   */
  readonly budget?: ByteBudget;
}

interface RunningSource {
  readonly planned: PlannedSource;
  readonly source: KindSource;
  /** Its objects are kept whole. */
  readonly whole: boolean;
  readonly stop: AbortController;
  readonly budget: ByteBudget;
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
  readonly #keeper: ObjectKeeper;
  readonly #store: ObjectStore;
  readonly #state: ViewState;
  readonly #lanes = new Lanes(LANES);
  readonly #budget: ByteBudget;
  readonly #pace: Pace;
  readonly #sources = new Map<string, RunningSource>();
  #watched: ReadonlySet<string> = new Set();
  #etag: string | undefined;
  #discovered = false;
  #complete = false;
  #signal: AbortSignal | undefined;

  constructor(options: EnvironmentViewOptions) {
    this.#options = options;
    this.#budget = options.budget ?? new ByteBudget(MAX_OBJECT_BYTES);
    const { clock, random } = options;
    const { scope, rules, customEdges = [] } = options;
    const changed = (): void => this.#pace.ask();
    const keeper = new ObjectKeeper({ rules, customEdges });
    this.#keeper = keeper;
    const [now, isWhole] = [(): number => clock.now(), (object: KubeObject): boolean => keeper.isWhole(object)];
    this.#projection = new GraphProjection({ scope, now, events: this.#events, rules, isWhole, customEdges, changed });
    this.#store = new ObjectStore({
      upsert: (object) => (isEvent(object) ? this.#report(object, "upsert") : this.#projection.upsert(object)),
      remove: (object) => (isEvent(object) ? this.#report(object, "remove") : this.#projection.remove(idOf(object))),
    });
    this.#pace = new Pace(clock, FLUSH_MS, () => this.#flush());
    this.#monitor = new ConnectionMonitor({
      clock,
      prove: (signal) => this.#discover(signal),
      changed,
      ...(random === undefined ? {} : { random }),
    });
    this.#state = new ViewState(this.#projection.health([]), this.#monitor.connection);
  }

  /** Works until `signal` aborts and everything it opened is closed. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const cancelReview = this.#reviewLater();
    const endRules = this.#options.rules?.onChange(() => this.#judgeAnew(signal));
    try {
      await this.#monitor.run(signal);
      await Promise.all([...this.#sources.values()].map((running) => running.ended));
    } finally {
      endRules?.();
      cancelReview();
      this.#pace.stop();
      this.#budget.close();
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
    const plan = planSources(kinds, this.#options.scope).slice(0, MAX_SOURCES);
    this.#watched = new Set(plan.slice(0, this.#options.client.maxWatches ?? plan.length).map(({ id }) => id));
    const served = new Map(plan.map((planned) => [planned.id, planned]));
    for (const [id, { planned, stop, budget }] of this.#sources) {
      const now = served.get(id);
      if (now && now.kind.version === planned.kind.version && now.kind.kind === planned.kind.kind) continue;
      stop.abort();
      budget.close();
      this.#sources.delete(id);
      // Under another version the objects come back with the next list.
      this.#store.replace(id, []);
    }
    for (const planned of plan) if (!this.#sources.has(planned.id)) this.#start(planned, signal);
    this.#projection.setKinds(kinds);
    this.#options.log?.debug({ sources: plan.length }, "the sources of a view were planned");
    this.#pace.ask();
  }

  /** Other rules are in force. What they read and was not kept is read again; until then it stays as it was judged last. */
  #judgeAnew(signal: AbortSignal): void {
    for (const [id, { planned, whole, stop, budget }] of this.#sources) {
      if (whole || signal.aborted || !this.#keeper.wantsWhole(planned.kind)) continue;
      stop.abort();
      // What it has stays until it is read again, and finds its room then.
      budget.close();
      this.#store.forgetVersions(id);
      this.#start(planned, signal);
    }
    this.#projection.touchAll();
    this.#pace.ask();
  }

  #start(planned: PlannedSource, signal: AbortSignal): void {
    const { client, clock, random, maxObjectsPerKind = MAX_OBJECTS_PER_KIND } = this.#options;
    const { id, kind, namespace } = planned;
    const stop = new AbortController();
    const budget = this.#budget.part();
    const whole = this.#keeper.wantsWhole(kind);
    const changed = (): void => this.#changed();
    const source = new KindSource({
      kind,
      namespace,
      client,
      clock,
      monitor: this.#monitor,
      lanes: this.#lanes,
      metadataOnly: isMetadataOnly(kind),
      keep: (object, texts) => this.#keeper.keep(object, whole, texts),
      eager: isCore(kind),
      watched: () => this.#watched.has(id),
      maxObjects: maxObjectsPerKind,
      budget,
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
    this.#sources.set(id, { planned, source, whole, stop, budget, ended });
  }

  #report(event: KubeObject, what: "upsert" | "remove"): void {
    this.#events[what](event);
    this.#projection.reported(event);
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
    const described = [...this.#sources.values()].map((running) => this.#describe(running));
    this.#projection.setAccess(accessOf(described));
    // Nobody misses what only rules would ask about.
    const sources = described.filter(
      ({ id, state }) => this.#sources.get(id)?.planned.role === "scope" || state === "live" || state === "stale",
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

  #describe({ planned, source }: RunningSource): ViewSource {
    const { id, kind, namespace, role } = planned;
    const { state } = source;
    // A connection that is silent leaves watches open that bring nothing: what they showed last is what we know.
    const silent = state.name === "live" && this.#monitor.connection.state !== "connected";
    const asOfMs = silent ? this.#monitor.answeredAtMs : state.asOfMs;
    return {
      id,
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
      countsForHealth: role === "scope" && countsForHealth(kind),
    };
  }

  #reviewLater(): () => void {
    let cancel = (): void => {};
    let reviews = 0;
    const again = (): void => {
      cancel = this.#options.clock.after(REVIEW_MS, () => {
        reviews += 1;
        this.#projection.review(reviews % THOROUGH_REVIEW === 0);
        this.#pace.ask();
        again();
      });
    };
    again();
    return () => cancel();
  }
}
