import type { ByteLedger } from "@binnacle/grpc-wire";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { RouteStore } from "../agent-tracker/route-store.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import type { HopTokens } from "./hop-token.ts";
import type { KasPeerPool } from "./kas-peer-pool.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";

/** What the router, and each search of it, needs. */
export interface TunnelRouterOptions {
  readonly registry: TunnelRegistry;
  readonly routes: RouteStore;
  readonly peers: KasPeerPool;
  /** Absent: this kas has no internal secret and asks no other kas. */
  readonly tokens?: HopTokens;
  readonly clock: Clock;
  readonly metrics: RoutingMetrics;
  /** Where bytes of calls over a hop are booked. Default: nowhere. */
  readonly ledger?: ByteLedger;
  readonly log: Logger;
}
