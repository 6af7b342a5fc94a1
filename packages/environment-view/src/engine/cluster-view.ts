import type { CustomEdgeRule } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { ByteBudget } from "../limits/byte-budget.ts";
import { CertificateReader } from "../certificates/certificate-reader.ts";
import { EnvironmentScope } from "./environment-scope.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import { RemoteScope } from "../remote/remote-scope.ts";
import { RulesOfScopes } from "./rules-of-scopes.ts";
import type { OpenHealthRules } from "../scope/scope-rules.ts";
import { ChangeReader } from "../journal/change-reader.ts";
import { FieldDigests } from "../objects/field-digests.ts";
import type { SharedKeeping } from "../informers/shared-keeping.ts";
import type { KubeClient } from "../base/kube-client.ts";
import { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import type { Coverage } from "../sources/kind-authorities.ts";
import { KindCoverage } from "../sources/kind-coverage.ts";
import { kindId } from "../scope/kind-plan.ts";
import type { KindReader } from "../sources/kind-readers.ts";
import { Semaphore } from "../limits/semaphore.ts";
import { ObjectFeeds } from "../objects/object-feeds.ts";
import { ObjectKeeper } from "../objects/object-keeper.ts";
import { ObjectStore } from "../objects/object-store.ts";
import type { SourceSurroundings } from "../sources/running-source.ts";
import { planSources, type PlannedSource } from "../sources/source-plan.ts";
import { LOADING } from "../reflector/source-phase.ts";
import { SourcePlaces } from "../sources/source-places.ts";
import { ToolReader } from "../tools/tool-reader.ts";
import type { ViewLog } from "../base/view-log.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { WatchBudget } from "../limits/watch-budget.ts";

/** Health changes by time alone, "Unschedulable for more than 5 min": looked at this often. */
const REVIEW_MS = 15_000;
const TOOL_POLL_MS = 15_000;
/** Every fourth review also explains again: that costs ten times as much, and most changes are noticed when they arrive. */
const THOROUGH_REVIEW = 4;
/** Lists and probes at a time. */
const CONCURRENT_READS = 8;
const MAX_OBJECTS_PER_KIND = 20_000;
const MAX_OBJECT_BYTES = 128 * 1024 * 1024;
/** What the journals of all scopes hold, within what the view does. */
const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

/** What a cluster view works with. */
export interface ClusterViewOptions {
  readonly client: KubeClient;
  /** Rules of users, which win over the built-in ones. */
  readonly rules?: HealthRules;
  /** Edges of users on top of the catalogue, as `parseCustomEdges` of `@binnacle/graph` reads them. */
  readonly customEdges?: readonly CustomEdgeRule[];
  /** Prepares the rules of a scope; absent: rules of scopes are not evaluated. */
  readonly openHealthRules?: OpenHealthRules;
  readonly clock: Clock;
  readonly log?: ViewLog;
  /** 0 ≤ random() < 1, for backoff. */
  readonly random?: () => number;
  /** Beyond this a kind is truncated. */
  readonly maxObjectsPerKind?: number;
  /**
   * What the objects that are kept may weigh together, about their bytes in memory; a kind that finds no room is truncated. Part of
   * a budget of the process where there are many views; closed when the view ends. Default: 128 MiB of its own, of which one kind takes half at most.
   */
  readonly budget?: ByteBudget;
  /** The agent's watches, shared by all views of that agent. Default: as many as are wanted. */
  readonly watches?: WatchBudget;
  /** A sync of another GitOps tool that is elsewhere is looked at this often, in milliseconds. Default: 15 s. */
  readonly toolPollMs?: number;
  /** Sources that run at a time, for all scopes together; what does not fit says so. Default: 4,000. */
  readonly maxSources?: number;
  /** Where the objects of several views are kept, whose client brings the same ones to all of them. Default: one's own. */
  readonly keeping?: SharedKeeping;
}

/**
 * One cluster as one identity sees it: discovers the kinds and keeps the objects of all scopes that are open up to date, each kind
 * by as few sources as will do.
 */
export class ClusterView {
  readonly #options: ClusterViewOptions;
  readonly #monitor: ConnectionMonitor;
  readonly #keeper: ObjectKeeper;
  readonly #letGo: (() => void) | undefined;
  readonly #store: ObjectStore;
  readonly #feeds: ObjectFeeds;
  readonly #budget: ByteBudget;
  readonly #journalBudget: ByteBudget;
  readonly #changes: ChangeReader;
  readonly #rules: RulesOfScopes;
  readonly #semaphore = new Semaphore(CONCURRENT_READS);
  readonly #watches: WatchBudget;
  readonly #places: SourcePlaces;
  readonly #certificates: CertificateReader;
  readonly #tools: ToolReader;
  readonly #scopes = new Set<EnvironmentScope>();
  readonly #remotes = new Set<RemoteScope>();
  readonly #coverages = new Map<string, KindCoverage>();
  readonly #ending = new Set<Promise<void>>();
  #kinds: readonly ResourceKind[] | undefined;
  /** Places of kinds, for the watch budget. */
  #ranks: ReadonlyMap<string, number> = new Map();
  #etag: string | undefined;
  #signal: AbortSignal | undefined;

  constructor(options: ClusterViewOptions) {
    this.#options = options;
    const { clock, random, rules, customEdges = [], openHealthRules } = options;
    this.#budget = options.budget ?? new ByteBudget(MAX_OBJECT_BYTES);
    this.#watches = options.watches ?? new WatchBudget();
    this.#places = new SourcePlaces(options.maxSources, options.log);
    this.#journalBudget = this.#budget.part(MAX_JOURNAL_BYTES);
    const digests = options.keeping?.digests ?? new FieldDigests();
    this.#keeper = options.keeping?.keeper ?? new ObjectKeeper({ rules, customEdges, digests });
    this.#letGo = options.keeping?.keeper.hold({ edges: customEdges.filter(({ pack }) => pack === undefined), rules });
    this.#rules = new RulesOfScopes({ rules, customEdges, openHealthRules, keeper: this.#keeper });
    this.#changes = new ChangeReader({ keeper: this.#keeper, digests, now: () => this.#serverNow() });
    this.#store = new ObjectStore({
      upsert: (object, layerId, sighting) => this.#feeds.tell("upsert", object, { layerId, sighting }),
      remove: (object, layerId, sighting) => this.#feeds.tell("remove", object, { layerId, sighting }),
    });
    this.#feeds = new ObjectFeeds(this.#store);
    this.#certificates = new CertificateReader({
      client: options.client,
      clock,
      semaphore: this.#semaphore,
      kind: () => this.#kinds?.find((kind) => kindId(kind) === "/secrets"),
      changed: ({ namespace, name }) => {
        for (const scope of this.#scopes) scope.certificateChanged(namespace, name);
      },
    });
    this.#tools = new ToolReader({
      client: options.client,
      clock,
      pollMs: options.toolPollMs ?? TOOL_POLL_MS,
      semaphore: this.#semaphore,
      kinds: () => this.#kinds,
      isConnected: () => this.#monitor.connection.state === "connected",
      changed: () => {
        for (const scope of this.#everyScope()) scope.toolsChanged();
      },
    });
    this.#monitor = new ConnectionMonitor({
      clock,
      prove: (signal) => this.#discover(signal),
      changed: () => {
        for (const scope of this.#everyScope()) scope.stateChanged();
      },
      ...(random === undefined ? {} : { random }),
    });
  }

  /** Scopes that are open. */
  get scopes(): number {
    return this.#scopes.size;
  }

  /** Sources that run, and what finds no place beside them: a kind in a namespace each. */
  get sources(): { readonly running: number; readonly unread: number } {
    let unread = 0;
    for (const coverage of this.#coverages.values()) unread += coverage.unread;
    return { running: this.#places.held, unread };
  }

  /** Works until `signal` aborts and everything it opened is closed. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#certificates.start(signal);
    this.#tools.start(signal);
    const cancelReview = this.#reviewLater();
    const endRules = this.#options.rules?.onChange(() => this.#judgeAnew());
    try {
      await this.#monitor.run(signal);
    } finally {
      endRules?.();
      cancelReview();
      for (const scope of this.#everyScope()) scope.close();
      for (const coverage of this.#coverages.values()) this.#close(coverage);
      await Promise.all(this.#ending);
      this.#letGo?.();
      this.#budget.close();
    }
  }

  /** Opens an environment of this cluster; close it when it has no subscriber any more. What is known already is shown at once. */
  openScope(scope: ViewScope): EnvironmentScope {
    const { clock } = this.#options;
    const held = this.#rules.hold(scope.rules);
    // What only these rules read, and was not kept, is read again; other scopes go on with what there is.
    if (scope.rules !== undefined) for (const coverage of this.#coverages.values()) coverage.reread();
    const opened = new EnvironmentScope({
      scope,
      clock,
      serverNow: () => this.#serverNow(),
      rules: held.rules,
      customEdges: held.customEdges,
      isWhole: (object: KubeObject) => this.#keeper.isWhole(object),
      monitor: this.#monitor,
      join: (planned, reader) => this.#coverage(planned)?.join(planned.namespace, reader),
      leave: (planned, reader) => this.#leave(planned, reader),
      attend: (planned) => this.#coverages.get(kindId(planned.kind))?.attend(planned.namespace),
      coverageOf: (planned) => this.#coverageOf(planned),
      closed: (closed) => {
        this.#scopes.delete(closed);
        endRules?.();
        held.release();
        this.#certificates.leave(closed);
      },
      certificates: this.#certificates,
      toolReader: this.#tools,
      changes: this.#changes,
      journalBudget: this.#journalBudget.part(),
    });
    // A failed run is repeated for this scope alone.
    const endRules = held.own?.onChange(() => opened.judgeAnew());
    this.#scopes.add(opened);
    if (this.#kinds !== undefined) opened.setKinds(this.#kinds);
    return opened;
  }

  /** By the API server's clock. */
  #serverNow(): number {
    const { client, clock } = this.#options;
    return clock.now() + (client.aheadMs ?? 0);
  }

  /** Opens an environment whose view another program makes and sends (`RemoteScope.apply`); close it when it has no subscriber any more. */
  openRemote(scope: ViewScope): RemoteScope {
    const opened = new RemoteScope({
      scope,
      clock: this.#options.clock,
      connection: () => this.#monitor.connection,
      toolReader: this.#tools,
      closed: (closed) => this.#remotes.delete(closed),
    });
    this.#remotes.add(opened);
    return opened;
  }

  /** Proves the connection now: a new credential may carry what the last one could not. */
  wake(): void {
    if (this.#monitor.connection.state !== "connected") this.#monitor.suspect();
    this.#certificates.forgetRefusals();
    this.#tools.forgetRefusals();
  }

  #everyScope(): readonly (EnvironmentScope | RemoteScope)[] {
    return [...this.#scopes, ...this.#remotes];
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const found = await this.#options.client.discover(this.#etag, signal);
    if (!found || this.#signal === undefined || this.#signal.aborted) return;
    this.#etag = found.etag;
    this.#plan(found.kinds);
  }

  /** Scopes read new kinds, and those that left no longer. */
  #plan(found: readonly ResourceKind[]): void {
    const known = new Map(this.#kinds?.map((kind) => [kindId(kind), kind]));
    // An unchanged kind stays the same object, so that its readers continue.
    const kinds = found.map((kind) => {
      const before = known.get(kindId(kind));
      return before?.version === kind.version && before.kind === kind.kind && before.namespaced === kind.namespaced ? before : kind;
    });
    const now = new Set(kinds);
    this.#kinds = kinds;
    this.#ranks = new Map(planSources(kinds, { namespaces: [] }).map(({ kind }, rank) => [kindId(kind), rank]));
    for (const coverage of this.#coverages.values()) if (!now.has(coverage.kind)) this.#close(coverage);
    for (const scope of this.#scopes) scope.setKinds(kinds);
    this.#options.log?.debug({ kinds: kinds.length, scopes: this.#scopes.size }, "the sources of a cluster were planned");
  }

  #coverage({ kind }: PlannedSource): KindCoverage | undefined {
    const signal = this.#signal;
    if (signal === undefined || signal.aborted) return undefined;
    const id = kindId(kind);
    const known = this.#coverages.get(id);
    if (known) return known;
    const rank = this.#ranks.get(id) ?? this.#ranks.size;
    const coverage = new KindCoverage({ kind, rank, feeds: this.#feeds, places: this.#places, surroundings: this.#surroundings(signal) });
    this.#coverages.set(id, coverage);
    return coverage;
  }

  #surroundings(signal: AbortSignal): SourceSurroundings {
    const { client, clock, random, log, maxObjectsPerKind: maxObjects = MAX_OBJECTS_PER_KIND } = this.#options;
    return {
      client,
      clock,
      random,
      log,
      maxObjects,
      signal,
      monitor: this.#monitor,
      semaphore: this.#semaphore,
      keeper: this.#keeper,
      store: this.#store,
      budget: this.#budget,
      watches: this.#watches,
    };
  }

  #leave(planned: PlannedSource, scope: KindReader): void {
    const coverage = this.#coverages.get(kindId(planned.kind));
    if (!coverage) return this.#feeds.leave(planned.id, scope);
    coverage.leave(planned.namespace, scope);
    if (!coverage.isWanted) this.#close(coverage);
  }

  #close(coverage: KindCoverage): void {
    this.#coverages.delete(kindId(coverage.kind));
    coverage.close();
    const ending = coverage.ended();
    this.#ending.add(ending);
    void ending.then(() => this.#ending.delete(ending));
  }

  #coverageOf({ kind, namespace }: PlannedSource): Coverage {
    return this.#coverages.get(kindId(kind))?.coverageOf(namespace) ?? { state: LOADING, shown: 0 };
  }

  /** Other rules are in force. What they read and was not kept is read again; until then it stays as it was judged last. */
  #judgeAnew(): void {
    for (const coverage of this.#coverages.values()) coverage.reread();
    for (const scope of this.#scopes) scope.judgeAnew();
  }

  #reviewLater(): () => void {
    let cancel = (): void => {};
    let reviews = 0;
    const again = (): void => {
      cancel = this.#options.clock.after(REVIEW_MS, () => {
        reviews += 1;
        for (const coverage of this.#coverages.values()) coverage.review();
        this.#certificates.review();
        for (const scope of this.#scopes) scope.review(reviews % THOROUGH_REVIEW === 0);
        again();
      });
    };
    again();
    return () => cancel();
  }
}
