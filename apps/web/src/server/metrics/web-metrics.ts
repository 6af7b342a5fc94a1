import { openProbeServer, type Logger, type ProbeServer } from "@binnacle/telemetry";
import { collectProcessMetrics } from "@binnacle/telemetry/process-metrics";
import { Counter, Registry } from "prom-client";

import type { EdgeRoute } from "../http/edge-rules.ts";
import type { RefusalReason, RequestOutcome } from "../http/request-outcome.ts";
import { createCallMetrics, type CallMetrics } from "./call-metrics.ts";
import type { WebConfig } from "../config/config.ts";
import { parseHostPort } from "../config/host-port.ts";

/**
 * Everything the dashboard's server counts. Labels come from closed sets: never an id, a path or a user. A part that counts more
 * declares it in a file of its own, over the registry, as `call-metrics.ts` does.
 */
export interface WebMetrics {
  readonly registry: Registry;
  readonly calls: CallMetrics;
  /** A request was refused at the door. */
  refused(reason: RefusalReason): void;
  /** A request had a session cookie that does not open, for whatever reason: it is over, changed, or sealed with a key that is not ours. */
  unusableSession(): void;
  /** Records of the audit were written, or dropped because their output stalls. */
  audited(outcome: "written" | "dropped", records: number): void;
  /** A request has ended, whichever part answered it. */
  requested(route: EdgeRoute, outcome: RequestOutcome): void;
}

/** Makes the metrics in a registry of their own. */
export function createWebMetrics(): WebMetrics {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const refused = new Counter({
    name: "web_refused_requests_total",
    help: "Requests refused before they were looked into, by the limit or rule they ran into",
    labelNames: ["reason"],
    registers: [registry],
  });
  const requests = new Counter({
    name: "web_requests_total",
    help: "Requests that have ended, by the part of the server and the class of the status; a stream counts when it ends",
    labelNames: ["route", "outcome"],
    registers: [registry],
  });
  const unusableSessions = new Counter({
    name: "web_unusable_session_cookies_total",
    help: "Session cookies that did not open: expired, signed out, changed, or sealed with a key that this process does not have",
    registers: [registry],
  });
  const audited = new Counter({
    name: "web_audit_records_total",
    help: "Records of the audit, by whether they were written or dropped because the output did not take them",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["written", "dropped"]) audited.labels(outcome).inc(0);
  return {
    registry,
    calls: createCallMetrics(registry),
    refused: (reason) => refused.labels(reason).inc(),
    unusableSession: () => unusableSessions.inc(),
    audited: (outcome, records) => audited.labels(outcome).inc(records),
    requested: (route, outcome) => requests.labels(route, outcome).inc(),
  };
}

/** What the listener answers from. */
interface ObservabilityOptions {
  readonly config: WebConfig["observability"];
  readonly registry: Registry;
  /** What keeps the dashboard from serving, one sentence each; empty: ready. */
  readonly ready: () => readonly string[];
  readonly log: Logger;
}

const PATHS = { metrics: "/metrics", liveness: "/healthz", readiness: "/readyz" };

/** Opens the listener for metrics, and for probes that say why. @throws Error that names listener and address */
export function openObservability({ config, registry, ready, log }: ObservabilityOptions): Promise<ProbeServer> {
  return openProbeServer({ ...parseHostPort(config.listen.address), paths: PATHS, registry, ready, log });
}
