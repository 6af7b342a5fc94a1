import {
  ClusterView,
  scopeKeyOf,
  type ByteBudget,
  type ChangesRequest,
  type EnvironmentScope,
  type EventsTable,
  type ScopeChanges,
  type ViewScope,
  type WatchBudget,
} from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import { changeState, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ClusterRules, OpenRules } from "./cluster-rules.ts";
import type { SpecRules } from "./environment-spec.ts";
import { CredentialPool } from "../kas/credential-pool.ts";
import type { AgentViewRefusal } from "../kas/agent-view-refusal.ts";
import type { ConfigurationProblem, KasAccess } from "../kas/kas-access.ts";
import type { RememberedRefusal } from "../base/remembered-refusal.ts";
import { AgentEvents } from "./agent-events.ts";
import { AgentFeed } from "./agent-feed.ts";
import { seenOf, type SeenEnvironment } from "./last-snapshot.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import type { ViewFollower } from "../environment/open-views.ts";
import { RulePlaces, type WaitingForRules } from "./rule-places.ts";
import { isForAgents, sentRules, type SentRules } from "./sent-rules.ts";
import { ScopeUse, SHARED_VIEW_STATES, type SharedViewState } from "./shared-view-states.ts";

/** So long views are made here of an agent that does not offer its own. */
const MADE_HERE_MS = 600_000;
/**
 * An environment without subscribers stays open for this time, so that a returning viewer finds it up to date. It has watches only while no
 * other view needs them.
 */
const LINGER_MS = 120_000;
/** Maximum of environments of one view without subscribers; beyond it the first one that was left is closed. */
const MAX_LEFT = 20;

/** What a shared view works with. */
export interface SharedViewOptions {
  /** Whose health rules run: names the agent and the identity. */
  readonly tenant: string;
  /** The agent's watches, shared by all identities. */
  readonly watches: WatchBudget;
  readonly healthRules: ClusterRules;
  readonly customEdges: readonly CustomEdgeRule[];
  /** Views that agents keep are shown where they are offered. */
  readonly preferAgents: boolean;
  /** That the agent has no views, shared by all identities. */
  readonly withoutViews: RememberedRefusal;
  /** Objects of other GitOps tools are looked at this often, in milliseconds. */
  readonly toolPollMs: number;
  /** What all views keep of objects, and the part of it that one view may have. */
  readonly kept: { readonly views: ByteBudget; readonly viewBytes: number };
  readonly clock: Clock;
  readonly log: Logger;
  /** Keeps what environments showed when they are closed. */
  readonly pictures: Pick<SnapshotCache, "rememberView">;
  /** Hears of environments that are opened and closed. */
  readonly follower: ViewFollower;
  /** Its last environment was closed. */
  readonly idle: () => void;
}

/** An environment as its subscribers see it, whether its view is made here or by the agent. */
export type ShownScope = Pick<EnvironmentScope, "id" | "scope" | "open" | "tools" | "close">;

/** An environment that is open, or was a while ago. */
interface SharedScope {
  readonly scope: ShownScope;
  /** Where it comes from an agent. */
  readonly feed?: AgentFeed;
  readonly changesOf: (request: ChangesRequest) => Promise<ScopeChanges | undefined>;
  readonly openEvents: () => EventsTable;
  /** Where they come from an agent. */
  readonly events?: AgentEvents;
  readonly use: ScopeUse;
}

/** A subscriber's place. */
interface Joined {
  readonly scope: ShownScope;
  /** It is shown in another way from now on. */
  readonly isReplaced: () => boolean;
  /** There are too many sets of rules: the scope is judged without the requested ones. */
  readonly leftOut?: WaitingForRules | undefined;
  /** Events of it, for a subscriber of events. */
  readonly openEvents: () => EventsTable;
  /** They come with the agent's own life. */
  readonly tellsLife: boolean;
  readonly leave: () => void;
}

/**
 * One ClusterView for all subscribers of one cluster identity, and one scope of it for each of their environments. Its requests travel
 * with the credential of one of them, the carrier; when that one leaves or is refused, they break off and go on at the same
 * resourceVersion with another's.
 */
export class SharedView {
  readonly tenant: string;
  readonly #view: ClusterView;
  readonly #carriers: CredentialPool;
  /** In the order in which they were left, those that are looked at last. */
  readonly #scopes = new Map<string, SharedScope>();
  readonly #places = new RulePlaces();
  readonly #stop = new AbortController();
  readonly #options: SharedViewOptions;
  readonly #rules: OpenRules;
  #state: SharedViewState = { name: "idle" };
  /** An agent that did not offer a view to this identity, or was over its limit, gets no request before this time. */
  #madeHereUntilMs = Number.NEGATIVE_INFINITY;
  /** Health rules of users for all of the cluster, as an agent takes them. */
  #sentRules: SentRules | undefined;

  constructor(options: SharedViewOptions) {
    const { tenant, watches, healthRules, customEdges, toolPollMs, kept, clock, log } = options;
    this.#options = options;
    this.tenant = tenant;
    this.#carriers = new CredentialPool(log, { keepsLast: true, clock });
    const { client } = this.#carriers;
    const namespaces = (): string[] => [...new Set([...this.#scopes.values()].flatMap(({ scope }) => scope.scope.namespaces))];
    this.#rules = healthRules.open(tenant, { client, namespaces });
    const budget = kept.views.part(kept.viewBytes);
    const { rules, ofScope: openHealthRules } = this.#rules;
    this.#sentRules = sentRules(rules);
    rules.onChange(() => this.#rulesChanged());
    this.#view = new ClusterView({ client, rules, customEdges, openHealthRules, budget, watches, toolPollMs, clock, log });
  }

  get state(): SharedViewState["name"] {
    return this.#state.name;
  }

  /** Subscribers that have not left. */
  get users(): number {
    return this.#carriers.users;
  }

  /** Environments that are open, or were a while ago. */
  get scopes(): number {
    return this.#scopes.size;
  }

  /** Sources that run, and what finds no place beside them. */
  get sources(): ClusterView["sources"] {
    return this.#view.sources;
  }

  /** Tells of the environments that are open now. */
  tell(follower: ViewFollower): void {
    for (const { scope } of this.#scopes.values()) follower.opened(scope.scope, scope);
  }

  /** What kas reported last about the agent's configuration; it is the same for every identity. */
  get configurationProblem(): ConfigurationProblem | undefined {
    return this.#carriers.configurationProblem;
  }

  /** A subscriber joins; `leave` takes it out again. Rules that find no place are left out, and what is shown is that without them. */
  join(access: KasAccess, wanted: ViewScope): Joined {
    const { watches } = this.#options;
    access.limited = ({ limit, isAssumed }) => watches.setLimit(limit, isAssumed);
    if (access.watchLimit !== undefined) access.limited(access.watchLimit);
    const leaveCarriers = this.#carriers.join(access);
    const scope = this.#makesRoomFor(wanted) ? wanted : withoutRules(wanted);
    const left = scope === wanted || wanted.rules === undefined ? undefined : this.#places.wait(wanted.rules.id);
    const shared = this.#open(scope);
    // The first one brings the credential without which nothing could begin.
    if (this.state === "idle") this.#become("join", { name: "running", ended: this.#view.run(this.#stop.signal) });
    this.#rules.start();
    this.#view.wake();
    let joined = true;
    const leave = (): void => {
      if (!joined) return;
      joined = false;
      leaveCarriers();
      left?.leave();
      this.#left(scopeKeyOf(scope), shared);
    };
    const { openEvents, events } = shared;
    const tellsLife = events !== undefined;
    return { scope: shared.scope, isReplaced: () => shared.use.state === "replaced", leftOut: left?.waiting, openEvents, tellsLife, leave };
  }

  /** The credential is no longer good: it carries nothing from now on. */
  refuse(access: KasAccess): void {
    this.#carriers.refuse(access);
  }

  /** A session was ended on purpose: its credential carries nothing any more. */
  sessionEnded(session: string): void {
    this.#carriers.sessionEnded(session);
  }

  /** The credential has another identity now. */
  moved(access: KasAccess): void {
    this.#carriers.moved(access);
  }

  /** What an environment shows that is open, or was a while ago. */
  seen(scope: ViewScope): SeenEnvironment | undefined {
    const shared = this.#scopes.get(scopeKeyOf(scope));
    return shared && seenOf(shared.scope, this.#options.clock.now());
  }

  /** What has changed in an environment that is open, or was a while ago. */
  async changesOf(scope: ViewScope, request: ChangesRequest): Promise<ScopeChanges | undefined> {
    // Without a place for its rules it is open without them; what has changed is the same.
    const shared = this.#scopes.get(scopeKeyOf(scope)) ?? this.#scopes.get(scopeKeyOf(withoutRules(scope)));
    return shared?.changesOf(request);
  }

  /** Ends all requests. Settles when they have. */
  async close(): Promise<void> {
    for (const { use } of this.#scopes.values()) use.cancelClosing();
    const ended = this.#state.name === "running" ? this.#state.ended : undefined;
    this.#become("close", { name: "closed" });
    this.#stop.abort();
    await ended;
    await this.#rules.close();
  }

  #become(event: "join" | "close", next: SharedViewState): void {
    this.#state = changeState(SHARED_VIEW_STATES, this.#state, { event, next });
  }

  /** Whether a scope may have its rules; scopes without subscribers are closed to make room for them. */
  #makesRoomFor({ rules }: ViewScope): boolean {
    if (rules === undefined || this.#places.admits(rules.id)) return true;
    for (const [key, shared] of this.#scopes) {
      const own = shared.scope.scope.rules?.id;
      if (own !== undefined && this.#places.isLeft(own)) this.#end(key, shared);
      if (this.#places.admits(rules.id)) return true;
    }
    return false;
  }

  #open(scope: ViewScope): SharedScope {
    const key = scopeKeyOf(scope);
    const known = this.#scopes.get(key);
    const shared = known ?? this.#begin(scope);
    if (known === undefined && scope.rules !== undefined) this.#places.take(scope.rules.id);
    if (known?.use.state !== "viewed" && scope.rules !== undefined) this.#places.look(scope.rules.id, 1);
    known?.use.join();
    this.#scopes.delete(key);
    this.#scopes.set(key, shared);
    if (known !== undefined) return shared;
    this.#rules.namespacesChanged();
    this.#options.follower.opened(scope, shared.scope);
    return shared;
  }

  /** The agent's own view where it may be had, else one that is made here. */
  #begin(scope: ViewScope): SharedScope {
    const { preferAgents, withoutViews, customEdges, clock, log } = this.#options;
    const use = new ScopeUse();
    const isRefused = withoutViews.isRemembered || clock.now() < this.#madeHereUntilMs;
    if (!preferAgents || isRefused || !isForAgents(scope, this.#sentRules)) {
      const opened = this.#view.openScope(scope);
      return { use, scope: opened, changesOf: async (request) => opened.changesOf(request), openEvents: () => opened.openEvents() };
    }
    const remote = this.#view.openRemote(scope);
    const rules = (): SpecRules => ({ customEdges, healthRules: this.#sentRules });
    const options = { carriers: this.#carriers, rules, clock, log, refused: (why: AgentViewRefusal) => this.#refused(why) };
    const [feed, events] = [new AgentFeed({ ...options, remote }), new AgentEvents({ ...options, scope })];
    return { use, scope: remote, feed, events, changesOf: (of) => feed.changesOf(of), openEvents: () => events.open() };
  }

  /** Requests agents to judge by the rules that are in force now. */
  #rulesChanged(): void {
    const now = sentRules(this.#rules.rules);
    // A run that failed is tried again: that makes no other rules.
    if (now?.name === this.#sentRules?.name) return;
    this.#sentRules = now;
    for (const shared of this.#scopes.values()) {
      if (shared.feed === undefined) continue;
      if (!isForAgents(shared.scope.scope, now)) return this.#makeHere();
      shared.feed.askAgain();
      shared.events?.askAgain();
    }
  }

  #refused(refusal: AgentViewRefusal): void {
    if (refusal === "no-views") this.#options.withoutViews.remember();
    this.#makeHere();
  }

  /** The agent does not offer its views, or rules are in force that are too much for it. */
  #makeHere(): void {
    this.#madeHereUntilMs = this.#options.clock.now() + MADE_HERE_MS;
    for (const [key, shared] of this.#scopes) {
      if (shared.feed === undefined) continue;
      const { rules } = shared.scope.scope;
      if (shared.use.state === "viewed" && rules !== undefined) this.#places.look(rules.id, -1);
      this.#end(key, shared);
    }
  }

  #left(key: string, shared: SharedScope): void {
    shared.use.leave(() => this.#options.clock.after(LINGER_MS, () => this.#close(key, shared)));
    if (shared.use.state !== "left") return;
    const { rules } = shared.scope.scope;
    if (rules !== undefined) this.#places.look(rules.id, -1);
    this.#scopes.delete(key);
    this.#scopes.set(key, shared);
    const left = [...this.#scopes].filter(([, { use }]) => use.state === "left");
    for (const [oldest, each] of left.slice(0, -MAX_LEFT)) this.#close(oldest, each);
  }

  #close(key: string, shared: SharedScope): void {
    if (shared.use.state !== "left" || this.#scopes.get(key) !== shared) return;
    this.#end(key, shared);
    if (this.#scopes.size === 0) this.#options.idle();
  }

  #end(key: string, shared: SharedScope): void {
    shared.use.close();
    this.#scopes.delete(key);
    const { clock, pictures, follower } = this.#options;
    const seen = seenOf(shared.scope, clock.now());
    if (seen) pictures.rememberView(this.tenant, shared.scope.scope, seen);
    follower.closed(shared.scope.scope);
    shared.feed?.close();
    shared.events?.close();
    shared.scope.close();
    const { rules } = shared.scope.scope;
    if (rules !== undefined) this.#places.free(rules.id);
  }
}

function withoutRules(scope: ViewScope): ViewScope {
  const { rules: _, ...rest } = scope;
  return rest;
}
