import { COMMIT, VERSION } from "../base/build-info.ts";
import { PROCESS_METRICS } from "./process-metrics.ts";
import { LabelledCounter, TextMetrics } from "./text-metrics.ts";

/** What is measured; the numbers are asked for when somebody reads them. */
export interface MetricSources {
  readonly idleTunnels: () => number;
  readonly busyTunnels: () => number;
  readonly connected: () => boolean;
}

/** All metrics of this program. */
export interface Metrics {
  readonly registry: TextMetrics;
  /** One answer of the Kubernetes API; 0: there was none. */
  observeRequest(statusCode: number): void;
}

/** Declares every metric. Labels come from closed sets. */
export function createMetrics(sources: MetricSources): Metrics {
  const requests = new LabelledCounter("code");
  const registry = new TextMetrics([
    ...PROCESS_METRICS,
    {
      name: "agentk_build_info",
      help: "Always 1",
      type: "gauge",
      samples: () => [{ labels: { version: VERSION, commit: COMMIT }, value: 1 }],
    },
    {
      name: "agentk_tunnels",
      help: "Open tunnels",
      type: "gauge",
      samples: () => [
        { labels: { state: "idle" }, value: sources.idleTunnels() },
        { labels: { state: "busy" }, value: sources.busyTunnels() },
      ],
    },
    {
      name: "agentk_kas_connected",
      help: "1 while there is a connection to kas",
      type: "gauge",
      samples: () => [{ value: sources.connected() ? 1 : 0 }],
    },
    {
      name: "agentk_kubernetes_requests_total",
      help: "Requests to the Kubernetes API",
      type: "counter",
      samples: () => requests.samples,
    },
  ]);
  return {
    registry,
    observeRequest: (statusCode) => requests.add(statusCode === 0 ? "none" : `${Math.floor(statusCode / 100)}xx`),
  };
}
