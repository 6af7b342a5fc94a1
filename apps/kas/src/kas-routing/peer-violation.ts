import type { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";

/** Who counts, and who writes it down. */
export interface ViolationReport {
  readonly metrics: RoutingMetrics;
  readonly log: Logger;
  readonly agentId: bigint;
}

/** Another kas broke the rules of its frames: counted, and a line with the agent it was about. */
export function reportPeerViolation({ metrics, log, agentId }: ViolationReport, error: Fault): void {
  metrics.frameViolation("peer");
  log.warn({ error, agent_id: String(agentId) }, "a kas broke the rules of its frames");
}
