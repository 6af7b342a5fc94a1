import type { KasRoute, RouteStore } from "../../agent-tracker/route-store.ts";

/** The routes of several kas of one test, without Redis. */
export class SharedRoutes {
  readonly #routes = new Map<bigint, Map<string, KasRoute>>();
  readonly #listeners = new Set<(agentId: bigint) => void>();
  /** Look-ups so far. */
  lookups = 0;

  /** The store of one kas. */
  storeOf(kasId: string, url: string): RouteStore {
    let draining = false;
    let epoch = 0;
    const say = (agentId: bigint): void => {
      this.add(agentId, { kasId, urls: [url], draining, epoch: (epoch += 1) });
      this.hint(agentId);
    };
    return {
      publish: say,
      // The real store keeps a route for seconds after the last tunnel closed: no test is that long.
      withdraw: () => undefined,
      depart: async () => {
        draining = true;
        for (const [agentId, routes] of this.#routes) if (routes.has(kasId)) say(agentId);
      },
      lookup: async (agentId) => {
        this.lookups += 1;
        return [...(this.#routes.get(agentId)?.values() ?? [])].filter((route) => route.kasId !== kasId);
      },
      onHint: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  /** An entry that no kas keeps alive, as one leaves behind that was killed. */
  add(agentId: bigint, route: KasRoute): void {
    const routes = this.#routes.get(agentId) ?? new Map<string, KasRoute>();
    this.#routes.set(agentId, routes.set(route.kasId, route));
  }

  hint(agentId: bigint): void {
    for (const listener of this.#listeners) listener(agentId);
  }
}
