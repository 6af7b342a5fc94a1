import { Fault } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, AgentCallRequest, AgentRouter } from "../agent-call/agent-call.ts";
import { agentMetadataOf } from "../agent-call/agent-metadata.ts";
import { fieldsOf, GuardedListener } from "../agent-call/guarded-listener.ts";
import type { Tunnel } from "../reverse-tunnel/tunnel.ts";
import { PeerWaits } from "./peer-waits.ts";
import { RouteFinder } from "./route-finder.ts";
import type { TunnelRouterOptions } from "./tunnel-router-options.ts";
import { TunnelSearch } from "./tunnel-search.ts";

/**
 * Finds tunnels: a free one of this process at once, without a query to others; else the first that becomes free here or on another
 * kas. It also publishes the agents of this kas in the route store.
 */
export class TunnelRouter implements AgentRouter {
  readonly #options: TunnelRouterOptions;
  readonly #finder: RouteFinder;
  readonly #waits: PeerWaits | undefined;

  constructor(options: TunnelRouterOptions) {
    const { registry, routes, clock, tokens, peers, metrics, log } = options;
    this.#options = options;
    this.#finder = new RouteFinder(routes, clock);
    this.#waits = tokens && new PeerWaits({ peers, tokens, clock, metrics, log });
    registry.onPresence((agentId, present) => {
      if (present) routes.publish(agentId);
      else routes.withdraw(agentId);
    });
  }

  open(request: AgentCallRequest, listener: AgentCallListener): AgentCall | Promise<AgentCall> {
    const startedMs = this.#options.clock.now();
    try {
      const tunnel = request.signal.aborted ? undefined : this.#reserve(request);
      if (tunnel === undefined) return this.#openLater(request, listener, startedMs);
      const call = this.#start(tunnel, { request, listener: this.#guarded(request, listener) });
      this.#options.metrics.routed("local", 0);
      return call;
    } catch (error) {
      this.#failed(request, error, startedMs);
      throw error;
    }
  }

  async #openLater(request: AgentCallRequest, listener: AgentCallListener, startedMs: number): Promise<AgentCall> {
    const { metrics, clock } = this.#options;
    try {
      const call = await this.#search(request, this.#guarded(request, listener));
      metrics.routed(call.hops === 0 ? "local" : "peer", clock.now() - startedMs);
      return call;
    } catch (error) {
      this.#failed(request, error, startedMs);
      throw error;
    }
  }

  #failed(request: AgentCallRequest, error: unknown, startedMs: number): void {
    const { metrics, clock, log } = this.#options;
    metrics.routed(error instanceof Fault ? error.reason : "internal", clock.now() - startedMs);
    if (!(error instanceof Fault) || error.reason === "cancelled") return;
    // The cause stays here: it may name addresses of ours.
    const cause = error.cause instanceof Error ? { cause: error.cause.message } : {};
    log.info({ ...fieldsOf(request), reason: error.reason, detail: error.message, ...cause }, "a call found no tunnel");
  }

  #guarded({ agentId, method, context }: AgentCallRequest, listener: AgentCallListener): AgentCallListener {
    const { log, metrics } = this.#options;
    return new GuardedListener(listener, { agentId, method, context, log, metrics });
  }

  #search(request: AgentCallRequest, listener: AgentCallListener): Promise<AgentCall> {
    if (request.signal.aborted) return Promise.reject(new Fault("cancelled", "the caller left"));
    const startHere = (tunnel: Tunnel): AgentCall => this.#start(tunnel, { request, listener });
    return new Promise((resolve, reject) => {
      const search = { ...this.#options, finder: this.#finder, waits: this.#waits, request, listener, startHere, resolve, reject };
      new TunnelSearch(search).begin();
    });
  }

  #reserve(request: AgentCallRequest): Tunnel | undefined {
    try {
      return this.#options.registry.reserve(request);
    } catch (error) {
      // What this kas refuses another may still give: the search finds out.
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }

  #start(tunnel: Tunnel, of: { readonly request: AgentCallRequest; readonly listener: AgentCallListener }): AgentCall {
    const { agentId, context, method, metadata, signal } = of.request;
    const watchBudget = this.#options.registry.watchBudget(agentId, context.caller);
    const { answerWithinMs } = context;
    return tunnel.start(
      { method, metadata: agentMetadataOf(context, metadata), signal, hops: 0, watchBudget, answerWithinMs },
      of.listener,
    );
  }
}
