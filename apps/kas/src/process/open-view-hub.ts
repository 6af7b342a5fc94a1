import { ByteLedger } from "@binnacle/grpc-wire";
import type { Clock, Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentRouter } from "../agent-call/agent-call.ts";
import { SampledLog } from "../limits/sampled-log.ts";
import type { KasMetrics } from "./metrics.ts";
import { ViewHub } from "../views/view-hub.ts";
import { createViewsMetrics, type ViewsMetrics } from "../views/views-metrics.ts";

/** What of kas the views of agents need. */
export interface OpenViewHubInput {
  readonly router: AgentRouter;
  readonly clock: Clock;
  /** What tables may hold in all. */
  readonly processBytes: number;
  /** Of these, for one agent. */
  readonly agentBytes: number;
  readonly metrics: KasMetrics;
  readonly log: Logger;
  readonly waitMs: number;
}

/** The views of agents in this process. */
export interface OpenedViewHub extends Module {
  readonly hub: ViewHub;
  readonly metrics: ViewsMetrics;
}

/**
 * Opens the hub; as a module it notifies all viewers when this kas shuts down. Tables have a ledger of their own: in the common one, tables
 * with viewers would slow down all other traffic through the agent's tunnels.
 */
export function openViewHub(input: OpenViewHubInput): OpenedViewHub {
  const { metrics, log, processBytes, agentBytes, router, clock, waitMs } = input;
  const violations = new SampledLog(clock);
  const ledger = new ByteLedger({ processBytes, agentBytes, userBytes: processBytes });
  const counted = createViewsMetrics(metrics.registry, () => ledger.held());
  const hub = new ViewHub({
    router,
    clock,
    waitMs,
    ledger,
    metrics: counted,
    onViolation(agentId, error) {
      metrics.routing.frameViolation("agent");
      violations.event(`${agentId} ${error.reason}`, (count) =>
        log.warn({ agent_id: String(agentId), reason: error.reason, error, count }, "an agent broke the rules of its views"),
      );
    },
  });
  const leave = async (): Promise<void> => hub.leave();
  return { name: "views of agents", hub, metrics: counted, drain: leave, close: leave };
}
