import {
  type ChangesRequest,
  type EventsTable,
  type ScopeChanges,
  type SummaryFacts,
  type ViewScope,
  WatchBudget,
} from "@binnacle/environment-view";
import type { Snapshot } from "@binnacle/proto/dashboard";

import type { ClusterIdentity } from "../kas/cluster-identity.ts";
import type { ConfigurationProblem, KasAccess } from "../kas/kas-access.ts";
import { summaryOfSeen, toLastPicture } from "./last-snapshot.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import type { FollowViews, ViewFollower } from "../environment/open-views.ts";
import type { WaitingForRules } from "./rule-places.ts";
import { SharedView, type SharedViewOptions, type ShownScope } from "./shared-view.ts";
import { RefusalsByAgent } from "../base/remembered-refusal.ts";
import { tenantOf } from "../kas/tenant.ts";
import type { ViewStatistics } from "../metrics/view-metrics.ts";

/** A subscriber's place in a shared view. */
export interface ViewMembership {
  readonly view: ShownScope;
  /** It is shown in another way from now on: leave, and join again. */
  isReplaced(): boolean;
  /** The view judges by too many sets of rules: this one is shown without its own until there is a place. */
  readonly leftOut: WaitingForRules | undefined;
  /** What kas reported last about the agent's configuration, to the carrier of the view. */
  configurationProblem(): ConfigurationProblem | undefined;
  /** Events of the environment, until they are closed. */
  openEvents(): EventsTable;
  /** They come with the agent's own life. */
  readonly tellsLife: boolean;
  /** The subscriber's credential was refused: nothing may travel with it any more. */
  refuse(): void;
  /** The subscriber has another identity now: leave, and join the view of that one. */
  moved(): void;
  /** Call it once, at the end. */
  leave(): void;
}

interface OpenView {
  readonly shared: SharedView;
  readonly closeBudget: () => void;
}

/** What all views work with. */
type RegistryOptions = Omit<SharedViewOptions, "watches" | "withoutViews" | "tenant" | "follower" | "idle" | "pictures"> & {
  readonly pictures: Pick<SnapshotCache, "rememberView" | "pictureOf">;
};

/**
 * Owns every view of the process: one per agent and cluster identity, with a scope for each environment (docs/design/view.md
 * "Sharing"). `join` and `leave` are synchronous.
 */
export class ViewRegistry {
  readonly #views = new Map<string, OpenView>();
  readonly #closing = new Set<Promise<void>>();
  readonly #budgets = new WatchBudgets();
  /** By tenant. */
  readonly #followers = new Map<string, Set<ViewFollower>>();
  readonly #options: RegistryOptions;
  readonly #withoutViews: RefusalsByAgent;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#withoutViews = new RefusalsByAgent(options.clock);
  }

  /** Number of live views. */
  get size(): number {
    return this.#views.size;
  }

  /** What there is now. */
  statistics(): ViewStatistics {
    const views = [...this.#views.values()].map(({ shared }) => shared);
    const sum = (of: (view: SharedView) => number): number => views.reduce((total, view) => total + of(view), 0);
    const watches = this.#budgets.all().map(({ held, limit }) => ({ held, limit }));
    return {
      views: views.length,
      scopes: sum(({ scopes }) => scopes),
      viewers: sum(({ users }) => users),
      sources: sum(({ sources }) => sources.running),
      unread: sum(({ sources }) => sources.unread),
      watches,
    };
  }

  /** Takes a place in the view of this identity, which begins when there is none. */
  join(access: KasAccess, identity: ClusterIdentity | undefined, scope: ViewScope): ViewMembership {
    const tenant = tenantOf(access, identity);
    const { shared } = this.#views.get(tenant) ?? this.#open(access, tenant);
    const { scope: view, isReplaced, leftOut, openEvents, tellsLife, leave } = shared.join(access, scope);
    return {
      view,
      isReplaced,
      leftOut,
      openEvents,
      tellsLife,
      configurationProblem: () => shared.configurationProblem,
      refuse: () => shared.refuse(access),
      moved: () => shared.moved(access),
      leave,
    };
  }

  /** What an environment showed last to a tenant: as it is held in a view that is still there, or as it was kept. */
  async lastPicture(tenant: string, scope: ViewScope): Promise<Snapshot | undefined> {
    const { pictures } = this.#options;
    const seen = this.#views.get(tenant)?.shared.seen(scope);
    if (seen?.snapshot.complete === true) return toLastPicture(seen);
    if (seen) pictures.rememberView(tenant, scope, seen);
    return pictures.pictureOf(tenant, scope);
  }

  /** Its last summary for the index, without a request of the index. */
  lastSummary(tenant: string, scope: ViewScope): SummaryFacts | undefined {
    const seen = this.#views.get(tenant)?.shared.seen(scope);
    return seen && summaryOfSeen(seen);
  }

  /**
   * What has changed in an environment since it was opened; `undefined` when it has no open view here. The caller must be of the tenant,
   * and have just been let through by kas.
   */
  changesOf(tenant: string, scope: ViewScope, request: ChangesRequest): Promise<ScopeChanges | undefined> {
    return this.#views.get(tenant)?.shared.changesOf(scope, request) ?? Promise.resolve(undefined);
  }

  /** A session was ended on purpose: no view sends anything with its credential from now on. */
  sessionEnded(session: string): void {
    for (const { shared } of this.#views.values()) shared.sessionEnded(session);
  }

  /** Follows the environments of one tenant. */
  followViews(tenant: string): FollowViews {
    return (follower) => {
      const followers = this.#followers.get(tenant) ?? new Set();
      this.#followers.set(tenant, followers.add(follower));
      this.#views.get(tenant)?.shared.tell(follower);
      return () => {
        followers.delete(follower);
        if (followers.size === 0) this.#followers.delete(tenant);
      };
    };
  }

  /** Ends all views. */
  async close(): Promise<void> {
    for (const [tenant, open] of this.#views) this.#drop(tenant, open);
    await Promise.all(this.#closing);
  }

  #open(access: KasAccess, tenant: string): OpenView {
    const { budget: watches, close: closeBudget } = this.#budgets.open(access.agentId);
    // Environments end by themselves, some time after they were left; the last one takes the view with it.
    const idle = (): void => this.#drop(tenant, open);
    const follower: ViewFollower = {
      opened: (scope, view) => this.#followers.get(tenant)?.forEach((each) => each.opened(scope, view)),
      closed: (scope) => this.#followers.get(tenant)?.forEach((each) => each.closed(scope)),
    };
    const withoutViews = this.#withoutViews.of(access.agentId);
    const open: OpenView = { shared: new SharedView({ ...this.#options, tenant, watches, withoutViews, follower, idle }), closeBudget };
    this.#views.set(tenant, open);
    return open;
  }

  #drop(tenant: string, open: OpenView): void {
    if (this.#views.get(tenant) !== open) return;
    this.#views.delete(tenant);
    const { shared, closeBudget } = open;
    const closing = shared
      .close()
      .catch((error: unknown) => this.#options.log.error({ error }, "a view ended with an error"))
      .finally(closeBudget);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

interface Entry {
  readonly budget: WatchBudget;
  users: number;
}

/** The watches of each agent, one budget for all its identities; retained while it is in use. */
class WatchBudgets {
  readonly #agents = new Map<bigint, Entry>();

  /** The budget of an agent; close it once, when nothing uses it any more. */
  open(agentId: bigint): { readonly budget: WatchBudget; readonly close: () => void } {
    const entry = this.#agents.get(agentId) ?? { budget: new WatchBudget(), users: 0 };
    this.#agents.set(agentId, entry);
    entry.users += 1;
    const close = (): void => {
      entry.users -= 1;
      if (entry.users === 0 && this.#agents.get(agentId) === entry) this.#agents.delete(agentId);
    };
    return { budget: entry.budget, close };
  }

  /** Budgets in use, in no order. */
  all(): WatchBudget[] {
    return [...this.#agents.values()].map(({ budget }) => budget);
  }
}
