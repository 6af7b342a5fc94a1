import type { ByteLedger } from "@binnacle/grpc-wire";
import type { Clock, Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AgentRouter } from "../agent-call/agent-call.ts";
import { SampledLog } from "../limits/sampled-log.ts";
import type { KasMetrics } from "../metrics.ts";
import { ViewHub } from "./view-hub.ts";
import { createViewsMetrics, type ViewsMetrics } from "./views-metrics.ts";

/** What of kas the views of agents need. */
export interface OpenViewHubInput {
  readonly router: AgentRouter;
  readonly clock: Clock;
  readonly ledger: ByteLedger;
  readonly metrics: KasMetrics;
  readonly log: Logger;
  readonly waitMs: number;
}

/** The views of agents in this process. */
export interface OpenedViewHub extends Module {
  readonly hub: ViewHub;
  readonly metrics: ViewsMetrics;
}

/** Opens it; as a module it says to everybody that this kas goes away. */
export function openViewHub({ metrics, log, ...input }: OpenViewHubInput): OpenedViewHub {
  const violations = new SampledLog(input.clock);
  const counted = createViewsMetrics(metrics.registry);
  const hub = new ViewHub({
    ...input,
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
