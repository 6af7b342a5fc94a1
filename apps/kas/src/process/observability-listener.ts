import { openProbeServer, type Logger, type ProbeServer } from "@binnacle/telemetry";
import type { Registry } from "prom-client";

import { listenAddressOf } from "../config/listen-settings.ts";
import type { KasConfig } from "../config/schema.ts";

/** What the observability listener answers from. */
export interface ObservabilityListenerOptions {
  readonly config: KasConfig["observability"];
  readonly registry: Registry;
  /** What keeps kas from serving, one sentence each; empty: ready. */
  readonly ready: () => readonly string[] | Promise<readonly string[]>;
  readonly log: Logger;
}

/** Opens the listener for metrics and probes. @throws Error that names listener and address */
export function openObservabilityListener({ config, registry, ready, log }: ObservabilityListenerOptions): Promise<ProbeServer> {
  const paths = {
    metrics: config.prometheus.url_path,
    liveness: config.liveness_probe.url_path,
    readiness: config.readiness_probe.url_path,
  };
  return openProbeServer({ ...listenAddressOf(config.listen), paths, registry, ready, log });
}
