import { idOf, isEvent, type CustomEdgeRule } from "@binnacle/graph";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { ByteBudget } from "../limits/byte-budget.ts";
import type { CertificateReader } from "../certificates/certificate-reader.ts";
import type { AnswerOf } from "../certificates/node-certificates.ts";
import { ScopeEvents, type EventsTable } from "../events/scope-events.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import type { ChangeReader } from "../journal/change-reader.ts";
import { ScopeJournal, type ChangesRequest, type ScopeChanges } from "../journal/scope-journal.ts";
import { Throttle } from "../limits/throttle.ts";
import { EventIndex } from "../nodes/event-index.ts";
import { GraphProjection } from "../projection/graph-projection.ts";
import type { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import type { Coverage } from "../sources/kind-authorities.ts";
import type { KindReader } from "../sources/kind-readers.ts";
import { countsForHealth } from "../scope/kind-plan.ts";
import { accessOf } from "../sources/source-access.ts";
import { describeSource, describeUnplanned } from "../sources/source-description.ts";
import { IN_SIGHT, type Sighting } from "../objects/sighting.ts";
import { planSources, type PlannedSource } from "../sources/source-plan.ts";
import { ScopeTools } from "../tools/scope-tools.ts";
import type { ToolReader } from "../tools/tool-reader.ts";
import type { ViewMessage, ViewPosition } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { ViewState, type ViewSubscription } from "../stream/view-state.ts";
import { closerOf, type Attention } from "../limits/watch-budget.ts";

/** Single changes are sent at once, bursts four times a second (docs/design/stream.md "Throttle of deltas"). */
const DELTA_LIMITS = { intervalMs: 250, burst: 2, gapMs: 20 };
/** A kind that does not answer keeps the roll-up of the others waiting for so long: then it is one of which nothing is known. */
const PATIENCE_MS = 10_000;
/** Kinds that a scope reads at most, core ones first: a cluster may name as many as it likes. The rest is one source that says so. */
const MAX_SOURCES = 5_000;

/** The cluster view that a scope belongs to. */
export interface ScopeSurroundings {
  readonly scope: ViewScope;
  readonly clock: Clock;
  /** By the API server's clock, in milliseconds since the epoch: what it writes is judged by. */
  readonly serverNow: () => number;
  readonly rules: HealthRules | undefined;
  readonly customEdges: readonly CustomEdgeRule[];
  readonly isWhole: (object: KubeObject) => boolean;
  readonly monitor: Pick<ConnectionMonitor, "connection" | "answeredAtMs">;
  /** The scope reads a kind in a namespace from now on, or no longer. */
  readonly join: (planned: PlannedSource, reader: KindReader) => void;
  readonly leave: (planned: PlannedSource, reader: KindReader) => void;
  readonly attend: (planned: PlannedSource) => void;
  readonly coverageOf: (planned: PlannedSource) => Coverage;
  readonly closed: (scope: EnvironmentScope) => void;
  readonly certificates: Pick<CertificateReader, "want" | "answerOf">;
  readonly toolReader: Pick<ToolReader, "want" | "answerOf">;
  /** For its journal. */
  readonly changes: ChangeReader;
  /** What its journal may hold; closed with the scope. */
  readonly journalBudget: ByteBudget;
}

/**
 * One environment within a cluster view: the graph of its objects, their health, and what each subscriber has not received yet. Its
 * sources belong to the cluster view; other scopes may read them as well.
 */
export class EnvironmentScope implements KindReader {
  /** The other GitOps tools that deploy what it shows. */
  readonly tools: ScopeTools;
  readonly #surroundings: ScopeSurroundings;
  readonly #projection: GraphProjection;
  readonly #events = new EventIndex();
  readonly #state: ViewState;
  readonly #journal: ScopeJournal;
  readonly #eventsTable: ScopeEvents;
  readonly #throttle: Throttle;
  readonly #planned = new Map<string, PlannedSource>();
  readonly #watching = new Map<object, Attention>();
  /** How many more there would be. */
  #unplanned = 0;
  #attention: Attention = "none";
  #isPlanned = false;
  #isOverdue = false;
  #cancelPatience: (() => void) | undefined;
  #complete = false;
  /** What the first whole picture lacks is missing; from then on the age of a source counts. */
  #aged = false;
  #closed = false;

  constructor(surroundings: ScopeSurroundings) {
    this.#surroundings = surroundings;
    const { scope, clock, rules, customEdges, isWhole, monitor, certificates } = surroundings;
    const now = surroundings.serverNow;
    const changed = (): void => this.#throttle.ask();
    this.#throttle = new Throttle(clock, DELTA_LIMITS, () => this.#flush());
    const certificateOf: AnswerOf = (namespace, name) => certificates.answerOf(namespace, name);
    this.#projection = new GraphProjection({ scope, now, events: this.#events, rules, isWhole, customEdges, changed, certificateOf });
    this.tools = new ScopeTools(this.#projection.deployed, surroundings.toolReader);
    this.#state = new ViewState(this.#projection.health([]), monitor.connection, clock);
    const isPartial = scope.labels !== undefined || scope.inventory !== undefined;
    const { objects } = this.#projection;
    this.#eventsTable = new ScopeEvents({ clock, events: this.#events, objects, names: () => this.#projection.names, isPartial });
    this.#journal = new ScopeJournal({
      now,
      reader: surroundings.changes,
      budget: surroundings.journalBudget,
      settledOf: (planned) => surroundings.coverageOf(planned).state.settled,
      topOf: (key) => objects.topOf(key),
      // What has gone is shown as long as what it belonged to is.
      isShown: isPartial ? (key) => objects.shows(key) || objects.shows(objects.topOf(key)) : undefined,
    });
  }

  /** Identifies this scope for subscribers that resume. */
  get id(): string {
    return this.#state.id;
  }

  /** How closely it is viewed now: what is on a page gets watches before what is not. */
  get attention(): Attention {
    return this.#attention;
  }

  /** Which part of the cluster it shows. */
  get scope(): ViewScope {
    return this.#surroundings.scope;
  }

  /**
   * A subscription: `ready` is called whenever there is something to take, never inside another call.
   *
   * @param ask `after`: what the subscriber has already. `attention`: how closely it is viewed, default a page
   */
  open(ready: () => void, ask: { readonly after?: ViewPosition | undefined; readonly attention?: Attention } = {}): ViewSubscription {
    const inner = this.#state.open(ready, ask.after);
    const subscription: ViewSubscription = {
      take: () => inner.take(),
      close: () => {
        inner.close();
        this.#watching.delete(subscription);
        this.#attend();
      },
    };
    this.#watching.set(subscription, ask.attention ?? "page");
    this.#attend();
    return subscription;
  }

  /** Opens its table of Events, as a page shows them. */
  openEvents(): EventsTable {
    const opened = this.#eventsTable.open();
    this.#watching.set(opened, "page");
    this.#attend();
    return {
      ...opened,
      close: () => {
        opened.close();
        this.#watching.delete(opened);
        this.#attend();
      },
    };
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

  /**
   * What has changed since the scope was opened, as far as the viewer may read it now (docs/design/journal.md). Events are not included
   * (`openEvents`).
   */
  changesOf(request: ChangesRequest = {}): ScopeChanges {
    return this.#journal.changes(request, this.#projection.names);
  }

  /** Stops reading. Subscriptions that are still open receive no further change. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#throttle.stop();
    this.#cancelPatience?.();
    this.#state.close();
    this.#journal.close();
    this.#eventsTable.close();
    this.tools.close();
    for (const planned of this.#planned.values()) this.#surroundings.leave(planned, this);
    this.#planned.clear();
    this.#surroundings.closed(this);
  }

  /** For the cluster view: these are all kinds that are served. What is known of them is shown at once. */
  setKinds(kinds: readonly ResourceKind[]): void {
    const { scope, join, leave } = this.#surroundings;
    const all = planSources(kinds, scope);
    const plan = new Map(all.slice(0, MAX_SOURCES).map((planned) => [planned.id, planned]));
    this.#unplanned = all.length - plan.size;
    for (const [id, planned] of this.#planned) {
      if (plan.get(id)?.kind === planned.kind) continue;
      leave(planned, this);
      this.#planned.delete(id);
    }
    for (const [id, planned] of plan) {
      if (this.#planned.has(id)) continue;
      this.#planned.set(id, planned);
      join(planned, this);
    }
    this.#projection.setKinds(kinds);
    this.#isPlanned = true;
    this.#cancelPatience ??= this.#surroundings.clock.after(PATIENCE_MS, () => {
      this.#isOverdue = true;
      this.stateChanged();
    });
    if (this.#isComplete()) this.#flush();
    else this.#throttle.ask();
  }

  /** For the cluster view: other rules are in force. */
  judgeAnew(): void {
    this.#projection.touchAll();
    this.#throttle.ask();
  }

  /** For the cluster view: something else is known of the certificate in a Secret. */
  certificateChanged(namespace: string, name: string): void {
    if (this.#closed) return;
    this.#projection.certificateChanged(namespace, name);
    this.#throttle.ask();
  }

  /** For the cluster view: something else is known of the object of a tool. */
  toolsChanged(): void {
    if (!this.#closed && this.#complete) this.#throttle.ask();
  }

  /** For the cluster view: time has passed. @param thorough explain again what is judged the same */
  review(thorough: boolean): void {
    this.#projection.review(thorough);
    this.#throttle.ask();
  }

  upsert(object: KubeObject, sighting: Sighting = IN_SIGHT): void {
    if (isEvent(object)) this.#report(object, "upsert");
    else {
      this.#projection.upsert(object);
      this.#journal.take("upsert", object, sighting);
    }
    this.#throttle.ask();
  }

  remove(object: KubeObject, sighting: Sighting = IN_SIGHT): void {
    if (isEvent(object)) this.#report(object, "remove");
    else {
      this.#journal.take("remove", object, sighting);
      this.#projection.remove(idOf(object));
    }
    this.#throttle.ask();
  }

  /** For its sources and the connection: their state has changed. */
  stateChanged(): void {
    if (this.#closed) return;
    if (this.#complete || !this.#isComplete()) return this.#throttle.ask();
    // The first complete snapshot: a page that has just been opened waits for it.
    this.#complete = true;
    this.#throttle.hurry();
  }

  #attend(): void {
    let attention: Attention = "none";
    for (const each of this.#watching.values()) attention = closerOf(attention, each);
    if (attention === this.#attention) return;
    this.#attention = attention;
    for (const planned of this.#planned.values()) this.#surroundings.attend(planned);
    this.toolsChanged();
  }

  #report(event: KubeObject, what: "upsert" | "remove"): void {
    this.#events[what](event);
    this.#projection.reported(event);
  }

  /** Every source has answered once; or some of what counts have, and the way is not what keeps the others from it. */
  #isComplete(): boolean {
    if (!this.#isPlanned) return false;
    const { coverageOf, monitor } = this.#surroundings;
    const mayLack = this.#isOverdue && monitor.connection.state === "connected";
    let isAnyKnown = false;
    for (const planned of this.#planned.values()) {
      const isKnown = coverageOf(planned).state.settled !== undefined;
      if (!isKnown && !mayLack) return false;
      isAnyKnown ||= isKnown && planned.role === "scope" && countsForHealth(planned.kind);
    }
    return isAnyKnown || !mayLack;
  }

  #flush(): void {
    const { monitor, coverageOf, certificates } = this.#surroundings;
    const described = [...this.#planned.values()].map((planned) => describeSource(planned, coverageOf(planned), monitor));
    if (this.#unplanned > 0) described.push(describeUnplanned(this.#unplanned));
    this.#projection.setAccess(accessOf(described, this.#aged));
    // A kind that only rules read is no gap of the view.
    const sources = described.filter(({ id, settled }) => this.#planned.get(id)?.role !== "context" || settled === "live");
    this.#projection.flush(this.#state);
    this.#state.setSources(sources);
    this.#state.setConnection(monitor.connection);
    this.#state.setHealth(this.#projection.health(sources));
    // Once complete, always complete: a kind that joins later, or answers late, is loading by itself.
    this.#complete ||= this.#isComplete();
    if (this.#complete && !this.#aged) this.#projection.setAccess(accessOf(described, true));
    this.#aged = this.#complete;
    // Before that it is unknown what is missing, and which namespaces are open to others.
    const requests = this.#complete ? this.#projection.takeCertificateRequests() : undefined;
    if (requests !== undefined && !this.#closed) certificates.want(this, requests);
    // Before that it is unknown which tools' objects are visible.
    if (this.#complete && !this.#closed) this.tools.update({ connection: monitor.connection, isLooking: this.#attention === "page" });
    this.#state.setComplete(this.#complete);
    this.#journal.settle(this.#planned.values(), this.#complete);
    const ofEvents = sources.filter(({ group, resource }) => group === "" && resource === "events");
    this.#eventsTable.settle({ sources: ofEvents, connection: monitor.connection, isComplete: this.#complete });
    this.#state.announce();
  }
}
