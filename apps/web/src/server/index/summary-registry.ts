import {
  RequestPace,
  SampledSummaries,
  type Summary,
  type SummaryFacts,
  type SummarySource,
  type ViewScope,
} from "@binnacle/environment-view";
import { LRUCache } from "lru-cache";

import { AgentSummaries, allLive } from "./agent-summaries.ts";
import type { ClusterIdentity } from "../kas/cluster-identity.ts";
import type { OpenRules } from "../shared-views/cluster-rules.ts";
import { CredentialPool } from "../kas/credential-pool.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { SnapshotCache } from "../shared-views/snapshot-cache.ts";
import { OpenViews, type FollowViews } from "../environment/open-views.ts";
import type { SharedViewOptions } from "../shared-views/shared-view.ts";
import { RefusalsByAgent, type RememberedRefusal } from "../base/remembered-refusal.ts";
import { tenantOf } from "../kas/tenant.ts";

/** Summaries remain for this time after their last subscriber, so that a returning viewer finds them. */
const LINGER_MS = 120_000;
/** Requests for samples to one agent, all identities together: with discovery and proofs it has at most twenty a second of an index. */
const MAX_PER_SECOND = 19;
/** Paces that are remembered; one that is forgotten begins anew. */
const MAX_AGENTS = 10_000;

/** What a sampler of summaries works with. */
export interface SummaryRegistryOptions extends Pick<
  SharedViewOptions,
  "healthRules" | "customEdges" | "preferAgents" | "kept" | "clock" | "log"
> {
  /** Caches the last state when there is no subscriber any more. */
  readonly pictures: Pick<SnapshotCache, "rememberSummary" | "summaryOf" | "forgetSummary">;
  /** Views of a tenant that are open anyway. */
  readonly followViews: (tenant: string) => FollowViews;
}

/** A subscriber's place at a source of summaries. */
export interface SummaryMembership {
  readonly source: SummarySource;
  /** The subscriber's credential was refused: nothing may travel with it any more. */
  refuse(): void;
  /** The subscriber has another identity now: leave, and join the source of that one. */
  moved(): void;
  /** Call it once, at the end. */
  leave(): void;
}

/** Owns every sampler of the process: one per agent and cluster identity, for all indexes of all who have it. */
export class SummaryRegistry {
  readonly #samplers = new Map<string, Sampler>();
  readonly #closing = new Set<Promise<void>>();
  readonly #paces = new LRUCache<string, RequestPace>({ max: MAX_AGENTS });
  readonly #options: SummaryRegistryOptions;
  readonly #withoutViews: RefusalsByAgent;

  constructor(options: SummaryRegistryOptions) {
    this.#options = options;
    this.#withoutViews = new RefusalsByAgent(options.clock);
  }

  /** Number of samplers. */
  get size(): number {
    return this.#samplers.size;
  }

  /** Takes a place at the source of this identity, which begins when there is none. */
  join(access: KasAccess, identity: ClusterIdentity | undefined): SummaryMembership {
    const tenant = tenantOf(access, identity);
    const sampler = this.#samplers.get(tenant) ?? this.#begin(access.agentId, tenant);
    this.#samplers.set(tenant, sampler);
    const leave = sampler.join(access);
    return {
      source: sampler.summaries,
      refuse: () => sampler.carriers.refuse(access),
      moved: () => sampler.carriers.moved(access),
      leave: () => {
        leave();
        if (sampler.carriers.users > 0) return;
        for (const summary of sampler.summaries.all()) remember(this.#options.pictures, tenant, summary);
        this.#options.clock.after(LINGER_MS, () => this.#end(tenant, sampler));
      },
    };
  }

  /** What was known of an environment last as this tenant; `undefined` when nothing was, or when it may not be known. */
  lastOf(tenant: string, scope: ViewScope): SummaryFacts | undefined {
    const standing = this.#samplers.get(tenant)?.summaries.lastOf(scope);
    if (standing?.gap?.kind === "forbidden") return undefined;
    return standing?.known ?? this.#options.pictures.summaryOf(tenant, scope);
  }

  /** A session was ended on purpose: no sampler sends anything with its credential from now on. */
  sessionEnded(session: string): void {
    for (const { carriers } of this.#samplers.values()) carriers.sessionEnded(session);
  }

  /** Ends all samplers. */
  async close(): Promise<void> {
    for (const [tenant, sampler] of this.#samplers) this.#drop(tenant, sampler);
    await Promise.all(this.#closing);
  }

  #begin(agentId: bigint, tenant: string): Sampler {
    return new Sampler(this.#options, { tenant, pace: this.#paceOf(agentId), withoutViews: this.#withoutViews.of(agentId) });
  }

  #paceOf(agentId: bigint): RequestPace {
    const id = String(agentId);
    const pace = this.#paces.get(id) ?? new RequestPace(this.#options.clock, MAX_PER_SECOND);
    this.#paces.set(id, pace);
    return pace;
  }

  #end(tenant: string, sampler: Sampler): void {
    if (sampler.carriers.users === 0 && this.#samplers.get(tenant) === sampler) this.#drop(tenant, sampler);
  }

  #drop(tenant: string, sampler: Sampler): void {
    this.#samplers.delete(tenant);
    const closing = sampler.close().catch((error: unknown) => this.#options.log.error({ error }, "a sampler ended with an error"));
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

/** A summary without subscribers may be needed tomorrow, when the agent is offline. */
function remember(pictures: SummaryRegistryOptions["pictures"], tenant: string, { scope, known, gap }: Summary): void {
  if (gap?.kind === "forbidden") pictures.forgetSummary(tenant, scope);
  else if (known) pictures.rememberSummary(tenant, scope, known);
}

/** Whose samples they are, and what all identities of the agent share. */
interface SamplerOfAgent {
  readonly tenant: string;
  readonly pace: RequestPace;
  readonly withoutViews: RememberedRefusal;
}

/** The samples of one identity, and what they travel with. */
class Sampler {
  readonly summaries: SampledSummaries;
  readonly carriers: CredentialPool;
  readonly #rules: OpenRules;
  readonly #views: OpenViews;
  readonly #agent: AgentSummaries | undefined;
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(options: SummaryRegistryOptions, { tenant, pace, withoutViews }: SamplerOfAgent) {
    const { healthRules, customEdges, preferAgents, kept, pictures, clock, log, followViews } = options;
    // What is known lives on after the last one left; nothing travels with his credential any more.
    this.carriers = new CredentialPool(log, { keepsLast: false, clock });
    const { client } = this.carriers;
    this.#rules = healthRules.open(tenant, { client, namespaces: () => [] });
    this.#views = new OpenViews(followViews(tenant), clock);
    const { rules } = this.#rules;
    const ofAgent = { carriers: this.carriers, customEdges, rules, withoutViews, clock };
    this.#agent = preferAgents ? new AgentSummaries(ofAgent) : undefined;
    this.summaries = new SampledSummaries({
      client,
      clock,
      pace,
      budget: kept.views.part(kept.viewBytes),
      rules,
      openHealthRules: this.#rules.ofScope,
      customEdges,
      live: this.#agent ? allLive(this.#views, this.#agent) : this.#views,
      log,
      forgotten: (summary) => remember(pictures, tenant, summary),
    });
  }

  join(access: KasAccess): () => void {
    const leave = this.carriers.join(access);
    // The first one brings the credential without which nothing could begin.
    this.#ended ??= this.summaries.run(this.#stop.signal);
    this.#rules.start();
    this.summaries.wake();
    return leave;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#views.close();
    this.#agent?.close();
    await this.#ended;
    await this.#rules.close();
  }
}
