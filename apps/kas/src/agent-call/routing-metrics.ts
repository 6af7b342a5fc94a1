import type { FaultReason } from "@binnacle/rpc";

/** How the search for a tunnel ended: found here, found on another kas, or the reason it was not. */
type RouteOutcome = "local" | "peer" | FaultReason;

/** What routing counts. Gauges (tunnels, waiters) come from `TunnelRegistry.counts`. */
export interface RoutingMetrics {
  /** A caller has a tunnel, or gave up, after this long. */
  routed(outcome: RouteOutcome, waitMs: number): void;
  /** A stream was ended because its other side broke the rules of its frames. */
  frameViolation(side: "agent" | "peer"): void;
  /** A request on the internal listener without a valid token, or that came a second time. */
  hopRefused(): void;
  /** An entry of the route store that no kas has signed. */
  rogueRoute(): void;
}

/** Counts nothing. */
export const noMetrics: RoutingMetrics = {
  routed: () => undefined,
  frameViolation: () => undefined,
  hopRefused: () => undefined,
  rogueRoute: () => undefined,
};
