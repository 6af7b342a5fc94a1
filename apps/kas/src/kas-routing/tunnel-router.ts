import { Fault } from "@binnacle/rpc";

import type { AgentCall, AgentCallListener, AgentCallRequest, AgentRouter } from "../agent-call/agent-call.ts";
import { RouteFinder } from "./route-finder.ts";
import type { TunnelRouterOptions } from "./tunnel-router-options.ts";
import { TunnelSearch } from "./tunnel-search.ts";

/**
 * Finds tunnels: a free one of this process at once, without asking anybody; else the first that becomes free here or on another
 * kas. Also tells the route store which agents have tunnels here.
 */
export class TunnelRouter implements AgentRouter {
  readonly #options: TunnelRouterOptions;
  readonly #finder: RouteFinder;

  constructor(options: TunnelRouterOptions) {
    this.#options = options;
    this.#finder = new RouteFinder(options.routes, options.clock);
    options.registry.onPresence((agentId, present) => {
      if (present) options.routes.publish(agentId);
      else options.routes.withdraw(agentId);
    });
  }

  async open(request: AgentCallRequest, listener: AgentCallListener): Promise<AgentCall> {
    const { metrics, clock } = this.#options;
    const startedMs = clock.now();
    try {
      const call = await this.#find(request, listener);
      metrics.routed(call.hops === 0 ? "local" : "peer", clock.now() - startedMs);
      return call;
    } catch (error) {
      metrics.routed(error instanceof Fault ? error.reason : "internal", clock.now() - startedMs);
      throw error;
    }
  }

  #find(request: AgentCallRequest, listener: AgentCallListener): Promise<AgentCall> {
    if (request.signal.aborted) return Promise.reject(new Fault("cancelled", "the caller left"));
    const tunnel = this.#options.registry.reserve(request);
    if (tunnel) return Promise.resolve(tunnel.start({ ...request, hops: 0 }, listener));
    return new Promise((resolve, reject) => {
      new TunnelSearch({ ...this.#options, finder: this.#finder, request, listener, resolve, reject }).begin();
    });
  }
}
