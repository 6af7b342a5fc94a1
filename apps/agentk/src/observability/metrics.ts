import { Counter, Gauge, Registry, collectDefaultMetrics } from "prom-client";

import { COMMIT, VERSION } from "../build-info.ts";

/** What is measured; the numbers are asked for when somebody reads them. */
export interface MetricSources {
  readonly idleTunnels: () => number;
  readonly busyTunnels: () => number;
  readonly connected: () => boolean;
}

/** All metrics of this program. */
export interface Metrics {
  readonly registry: Registry;
  /** One answer of the Kubernetes API; 0: there was none. */
  observeRequest(statusCode: number): void;
}

/** Declares every metric. Labels come from closed sets. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({ name: "agentk_build_info", help: "Always 1", labelNames: ["version", "commit"], registers });
  build.set({ version: VERSION, commit: COMMIT }, 1);
  const tunnels = new Gauge({
    name: "agentk_tunnels",
    help: "Open tunnels",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "idle" }, sources.idleTunnels());
      this.set({ state: "busy" }, sources.busyTunnels());
    },
  });
  const connected = new Gauge({
    name: "agentk_kas_connected",
    help: "1 while there is a connection to kas",
    registers,
    collect() {
      this.set(sources.connected() ? 1 : 0);
    },
  });
  // Declared for their collect functions.
  void [tunnels, connected];
  const requests = new Counter({
    name: "agentk_kubernetes_requests_total",
    help: "Requests to the Kubernetes API",
    labelNames: ["code"],
    registers,
  });
  return {
    registry,
    observeRequest: (statusCode) => requests.inc({ code: statusCode === 0 ? "none" : `${Math.floor(statusCode / 100)}xx` }),
  };
}
