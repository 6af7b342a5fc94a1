import type { ByteLedger } from "@binnacle/grpc-wire";
import type { ViewsOffer } from "@binnacle/proto/kas-views";
import { Fault, type Clock } from "@binnacle/rpc";

import type { AgentRouter } from "../agent-call/agent-call.ts";
import { AgentTopics } from "./agent-topics.ts";
import type { CanonicalSpec, CanonicalViewer } from "./canonical-spec.ts";
import { PersistentCall } from "./persistent-call.ts";
import { PermissionChecks, type PermissionCheck } from "./permission-checks.ts";
import { LINGER_MS, VIEW_BOUNDS } from "./view-bounds.ts";
import { ViewSubscription, type SubscriptionEvents } from "./view-subscription.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** What the views of an agent need. */
export interface AgentViewsOptions {
  readonly router: AgentRouter;
  readonly clock: Clock;
  readonly ledger: ByteLedger;
  readonly metrics: ViewsMetrics;
  readonly agentId: bigint;
  /** How long a search for the agent waits. */
  readonly waitMs: number;
  readonly onViolation: (agentId: bigint, fault: Fault) => void;
  /** The agent says what it offers. */
  readonly onOffer: (offer: ViewsOffer) => void;
  /** There is no subscriber left, or (with a fault) the agent offers no views. Nothing follows. */
  readonly onEnd: (refusal?: Fault) => void;
  /** 0 ≤ random() < 1. */
  readonly random?: (() => number) | undefined;
}

/** A viewer, its view, and how long it waits to be served. */
export interface ViewJoin {
  readonly viewer: CanonicalViewer;
  readonly spec: CanonicalSpec;
  readonly owner: string | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** A caller that has joined. */
interface Subscriber {
  readonly subscription: ViewSubscription;
  readonly spec: CanonicalSpec;
  readonly owner: string | undefined;
  /** Set while the caller waits to be served. */
  waiting: { begin(): void; fail(fault: Fault): void } | undefined;
}

/** Views of one agent for all viewers at this kas: one call for any number of viewers. */
export class AgentViews {
  readonly #options: AgentViewsOptions;
  readonly #call: PersistentCall;
  readonly #proofs: PermissionChecks;
  readonly #topics: AgentTopics;
  readonly #subscribers = new Set<Subscriber>();
  #cancelEnd = (): void => undefined;
  #over = false;

  constructor(options: AgentViewsOptions) {
    const { clock, metrics, agentId, random } = options;
    this.#options = options;
    const onViolation = (fault: Fault): void => options.onViolation(agentId, fault);
    const shared = { ...options, onViolation, violated: (what: string) => this.#call.violated(what) };
    this.#proofs = new PermissionChecks({ clock, metrics, random, send: (request) => this.#call.send(request) });
    this.#topics = new AgentTopics({ ...shared, send: (request) => this.#call.send(request), onEmpty: () => this.#endLater() });
    this.#call = new PersistentCall(shared, {
      up: (offer) => this.#up(offer),
      offeredAgain: (offer) => this.#offered(offer),
      changed: () => this.#down(),
      refused: (fault) => this.#refused(fault),
      proved: (answer) => {
        if (!this.#proofs.answered(answer)) this.#call.violated("an answer without a request");
      },
      updated: (update, bytes) => this.#topics.updated(update, bytes),
      topicEnded: (end) => this.#topics.ended(end),
    });
  }

  /**
   * Settles when the viewer's rights are proved; the view itself comes as events.
   *
   * @throws Fault when the agent cannot be queried in time, does not offer the view, or a limit is exceeded
   */
  async join(join: ViewJoin, events: SubscriptionEvents): Promise<ViewSubscription> {
    const { clock } = this.#options;
    const { waitMs, signal } = join;
    this.#checkShare(join);
    this.#cancelEnd();
    const subscriber = this.#subscribe(join, events);
    const begun = new Promise<void>((resolve, reject) => {
      subscriber.waiting = { begin: resolve, fail: reject };
    });
    const cancelWait = clock.after(waitMs, () => this.#fail(subscriber, this.#call.fault));
    const left = (): void => this.#fail(subscriber, new Fault("cancelled", "the caller has left"));
    signal.addEventListener("abort", left, { once: true });
    try {
      this.#prove(subscriber);
      if (signal.aborted) left();
      await begun;
    } finally {
      cancelWait();
      signal.removeEventListener("abort", left);
    }
    return subscriber.subscription;
  }

  /** Ends all subscriptions with the fault; later callers are rejected. */
  leave(fault: Fault): void {
    if (this.#over) return;
    this.#finish();
    this.#options.onEnd();
    for (const subscriber of this.#subscribers) this.#remove(subscriber, fault);
  }

  /** @throws Fault `share_exceeded` */
  #checkShare({ owner, spec }: ViewJoin): void {
    if (owner === undefined) return;
    const mine = [...this.#subscribers].filter((subscriber) => subscriber.owner === owner);
    const { subscriptionsPerCaller, ruleSetsPerCaller } = VIEW_BOUNDS;
    const exceeded = (what: string): Fault =>
      new Fault("share_exceeded", `one caller may look at ${what} of an agent`, { retryAfterSeconds: 30 });
    const isSummary = isOfIndex(spec);
    const alike = mine.filter((subscriber) => isOfIndex(subscriber.spec) === isSummary);
    if (alike.length >= subscriptionsPerCaller) throw exceeded(`${subscriptionsPerCaller} ${isSummary ? "summaries" : "views"}`);
    const sets = new Set([spec, ...mine.map((subscriber) => subscriber.spec)].flatMap(({ healthRules }) => [...healthRules.keys()]));
    // Other callers' rules share the limit of the agent with these.
    if (sets.size > ruleSetsPerCaller) throw exceeded(`views that are judged by ${ruleSetsPerCaller} sets of health rules`);
  }

  #subscribe({ viewer, spec, owner }: ViewJoin, events: SubscriptionEvents): Subscriber {
    const { metrics } = this.#options;
    const call = this.#call;
    const host = {
      get connection() {
        return call.connection;
      },
      metrics,
      enter: (member: ViewSubscription, rights: string) => this.#topics.enter(member, spec, rights),
      leave: this.#topics.leave.bind(this.#topics),
      closed: () => {
        this.#subscribers.delete(subscriber);
        if (this.#subscribers.size === 0 && this.#topics.size === 0) this.#endLater();
      },
    };
    const served = {
      ready: () => events.ready(),
      ended: (fault: Fault) => (subscriber.waiting ? this.#fail(subscriber, fault) : events.ended(fault)),
    };
    const subscription = new ViewSubscription({ viewer, spec }, host, served);
    const subscriber: Subscriber = { subscription, spec, owner, waiting: undefined };
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  #prove(subscriber: Subscriber): void {
    const refusal = this.#refusalOf(subscriber.spec);
    if (refusal) return this.#fail(subscriber, refusal);
    const { subscription, spec } = subscriber;
    let proof: PermissionCheck;
    try {
      proof = this.#proofs.hold(subscription.viewer, spec, {
        proved: () => {
          subscription.proofChanged();
          this.#begin(subscriber);
        },
        expired: () => subscription.proofChanged(),
        failed: (fault) => this.#fail(subscriber, fault),
      });
    } catch (error) {
      return this.#fail(subscriber, error instanceof Fault ? error : new Fault("internal", "a proof could not be begun", { cause: error }));
    }
    subscription.prove(proof);
    if (proof.rights !== undefined) this.#begin(subscriber);
  }

  #begin(subscriber: Subscriber): void {
    const { waiting } = subscriber;
    subscriber.waiting = undefined;
    waiting?.begin();
  }

  /** One who waits is not served; one who is served already goes on. */
  #fail(subscriber: Subscriber, fault: Fault): void {
    const { waiting } = subscriber;
    subscriber.waiting = undefined;
    if (waiting === undefined) return;
    subscriber.subscription.close();
    waiting.fail(fault);
  }

  #remove(subscriber: Subscriber, fault: Fault): void {
    if (subscriber.waiting) this.#fail(subscriber, fault);
    else subscriber.subscription.ended(fault);
  }

  #offered(offer: ViewsOffer): void {
    this.#options.onOffer(offer);
    for (const subscriber of this.#subscribers) {
      const refusal = this.#refusalOf(subscriber.spec);
      if (refusal) this.#remove(subscriber, refusal);
    }
  }

  #up(offer: ViewsOffer): void {
    this.#offered(offer);
    this.#proofs.up();
    this.#topics.up((spec) => this.#refusalOf(spec));
    this.#tell();
  }

  #down(): void {
    this.#proofs.down();
    this.#topics.down();
    this.#tell();
  }

  #refused(fault: Fault): void {
    this.#proofs.down();
    this.#finish();
    this.#options.onEnd(fault);
    for (const subscriber of this.#subscribers) this.#remove(subscriber, fault);
  }

  #tell(): void {
    for (const { subscription } of this.#subscribers) subscription.changed();
  }

  /** Why the agent that is there does not have a view; undefined while that is not known, too. */
  #refusalOf({ spec }: CanonicalSpec): Fault | undefined {
    const { offer } = this.#call;
    if (offer === undefined || spec.view.case !== "environment") return undefined;
    const { engine } = spec.view.value;
    if (offer.engine === "") {
      const why = offer.lacking.length === 0 ? "" : `; it lacks ${offer.lacking.join(", ")}`;
      return new Fault("not_implemented", `the agent offers no views of environments${why}`.slice(0, MAX_TEXT));
    }
    if (engine === offer.engine) return undefined;
    return new Fault(
      "agent_outdated",
      `the agent makes views of environments as ${offer.engine} does, not as ${engine.slice(0, MAX_ENGINE)}`,
    );
  }

  #endLater(): void {
    if (this.#over) return;
    this.#cancelEnd();
    this.#cancelEnd = this.#options.clock.after(LINGER_MS, () => {
      if (this.#subscribers.size > 0) return;
      this.#finish();
      this.#options.onEnd();
    });
  }

  #finish(): void {
    this.#over = true;
    this.#cancelEnd();
    this.#call.close();
    this.#topics.close();
  }
}

/** Rows of an index come by the hundred, pages one by one. */
function isOfIndex({ spec }: CanonicalSpec): boolean {
  return spec.view.case === "summary";
}

const MAX_TEXT = 1_000;
const MAX_ENGINE = 128;
