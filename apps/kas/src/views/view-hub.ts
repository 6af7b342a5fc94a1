import type { ByteLedger } from "@binnacle/grpc-wire";
import type { ViewSpec } from "@binnacle/proto/kas-views";
import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";
import type { AgentRouter } from "../agent-call/agent-call.ts";
import { AgentViews } from "./agent-views.ts";
import { canonicalSpec, canonicalViewer } from "./canonical-spec.ts";
import type { SubscriptionEvents, ViewSubscription } from "./view-subscription.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** What the hub needs. */
export interface ViewHubOptions {
  readonly router: AgentRouter;
  readonly clock: Clock;
  /** Where tables are booked. */
  readonly ledger: ByteLedger;
  readonly metrics: ViewsMetrics;
  /** How long an agent is waited for. */
  readonly waitMs: number;
  readonly onViolation: (agentId: bigint, fault: Fault) => void;
  /** 0 ≤ random() < 1; default: Math.random. */
  readonly random?: () => number;
}

/** Who looks at a view. */
export interface ViewAccess {
  readonly agentId: bigint;
  /** As whom; absent: as the agent itself. */
  readonly identity?: ImpersonationConfig;
  /** The owner of the share of the agent's limits; absent: no owner. */
  readonly owner?: string;
  /** Aborted when the caller cancels before it was served. */
  readonly signal: AbortSignal;
  /** How long the caller waits; default that of the hub. */
  readonly waitMs?: number;
}

/** An agent that offers no views is not queried again for so long: callers are rejected at once meanwhile. */
const REFUSED_FOR_MS = 60_000;
/** What an agent offers is remembered so long after it was heard. */
const OFFER_KEPT_MS = 600_000;
const MAX_AGENTS = 10_000;

/** Views of agents for authorized callers: callers with the same rights share what the agent sends (ADR 22). */
export class ViewHub {
  readonly #options: ViewHubOptions;
  readonly #agents = new Map<bigint, AgentViews>();
  readonly #refused = new LRUCache<bigint, { readonly fault: Fault; readonly untilMs: number }>(atMost(MAX_AGENTS));
  readonly #engines = new LRUCache<bigint, { readonly engine: string; readonly untilMs: number }>(atMost(MAX_AGENTS));
  #left: Fault | undefined;

  constructor(options: ViewHubOptions) {
    this.#options = options;
  }

  /**
   * Begins to look. What there is comes with `take` of what is returned, whenever `events.ready` was called.
   *
   * @throws Fault at once `invalid_request`, `unknown_method`, `agent_outdated`, `cannot_impersonate`, `not_implemented`, `queue_full`,
   *   `share_exceeded`, and what the agent says; after the wait `agent_not_connected` and what else keeps kas from it
   */
  async join(access: ViewAccess, spec: ViewSpec, events: SubscriptionEvents): Promise<ViewSubscription> {
    const { agentId, identity, owner, signal, waitMs = this.#options.waitMs } = access;
    const request = { viewer: canonicalViewer(identity), spec: canonicalSpec(spec), owner, signal, waitMs };
    if (this.#left) throw this.#left;
    const refused = this.#refused.get(agentId);
    if (refused && refused.untilMs > this.#options.clock.now()) throw refused.fault;
    return this.#agentOf(agentId).join(request, events);
  }

  /** The view engine of an agent, when it was reported lately; empty: the agent offers no views. */
  engineOf(agentId: bigint): string | undefined {
    const known = this.#engines.get(agentId);
    return known && known.untilMs > this.#options.clock.now() ? known.engine : undefined;
  }

  /** This kas shuts down: all subscribers are notified. */
  leave(): void {
    this.#left ??= new Fault("shutting_down", "this kas goes away; look again");
    for (const agent of this.#agents.values()) agent.leave(this.#left);
  }

  #agentOf(agentId: bigint): AgentViews {
    const known = this.#agents.get(agentId);
    if (known) return known;
    const { clock } = this.#options;
    const agent: AgentViews = new AgentViews({
      ...this.#options,
      agentId,
      random: this.#options.random,
      onOffer: ({ engine }) => void this.#engines.set(agentId, { engine, untilMs: clock.now() + OFFER_KEPT_MS }),
      onEnd: (fault) => {
        if (this.#agents.get(agentId) === agent) this.#agents.delete(agentId);
        if (fault === undefined) return;
        this.#engines.delete(agentId);
        this.#refused.set(agentId, { fault, untilMs: clock.now() + REFUSED_FOR_MS });
      },
    });
    this.#agents.set(agentId, agent);
    return agent;
  }
}
