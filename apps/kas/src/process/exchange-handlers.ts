import type { ByteLedger } from "@binnacle/grpc-wire";
import type { Logger } from "@binnacle/telemetry";

import { callerKey } from "../agent-call/call-context.ts";
import type { HttpExchangeVia } from "../http-exchange/http-exchange.ts";
import type { KasMetrics } from "./metrics.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";

/** What of kas looks after requests to clusters. */
export interface ExchangeHandlersInput {
  readonly metrics: KasMetrics;
  readonly log: Logger;
  readonly ledger: ByteLedger;
  readonly registry: Pick<TunnelRegistry, "isShort">;
}

/** Counts and logs violations of requests to clusters, for all callers, and decides when a stalled reader is ended sooner. */
export function exchangeHandlers(input: ExchangeHandlersInput): Pick<HttpExchangeVia, "onViolation" | "onSilence" | "isShort"> {
  const { metrics, log, ledger, registry } = input;
  return {
    isShort: (agentId, caller) =>
      registry.isShort(agentId) ||
      ledger.isShort({ kind: "agent", id: String(agentId) }) ||
      ledger.isShort({ kind: "user", id: callerKey(caller) }),
    onViolation(agentId, fault) {
      metrics.routing.frameViolation("agent");
      log.warn({ agent_id: String(agentId), reason: fault.reason, error: fault }, "an agent broke the rules of its answer");
    },
    onSilence: (reason) => metrics.silenced(reason),
  };
}
