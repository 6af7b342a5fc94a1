import { readdirSync } from "node:fs";

import { COMMIT, VERSION } from "../base/build-info.ts";
import { LabelledCounter, TextMetrics, type Metric, type Sample } from "./text-metrics.ts";

/** What is measured; the functions are called when the metrics are read. */
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

/** What the process itself costs, under the names that Prometheus' client libraries give it. */
export const PROCESS_METRICS: readonly Metric[] = [
  {
    name: "process_cpu_seconds_total",
    help: "CPU time in user and system mode, in seconds",
    type: "counter",
    samples() {
      const { user, system } = process.cpuUsage();
      return one((user + system) / 1e6);
    },
  },
  {
    name: "process_resident_memory_bytes",
    help: "Resident memory in bytes",
    type: "gauge",
    samples: () => one(process.memoryUsage.rss()),
  },
  {
    name: "process_start_time_seconds",
    help: "When the process was started, in seconds since the epoch",
    type: "gauge",
    samples: () => one(performance.timeOrigin / 1_000),
  },
  { name: "process_open_fds", help: "Open file descriptors; absent where the system does not tell", type: "gauge", samples: openFiles },
  {
    name: "nodejs_heap_size_used_bytes",
    help: "Heap in use in bytes",
    type: "gauge",
    samples: () => one(process.memoryUsage().heapUsed),
  },
  {
    name: "nodejs_version_info",
    help: "Always 1",
    type: "gauge",
    samples: () => [{ labels: { version: process.version }, value: 1 }],
  },
];

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

function one(value: number): readonly Sample[] {
  return [{ value }];
}

function openFiles(): readonly Sample[] {
  try {
    // The directory that is read is one of them.
    return one(readdirSync("/proc/self/fd").length - 1);
  } catch {
    return [];
  }
}
