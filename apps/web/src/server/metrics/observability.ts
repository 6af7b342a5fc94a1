import { openProbeServer, type Logger, type ProbeServer } from "@binnacle/telemetry";
import type { Registry } from "prom-client";

import type { WebConfig } from "../config/config.ts";
import { parseHostPort } from "../config/host-port.ts";

/** What the listener answers from. */
export interface ObservabilityOptions {
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
