import { readdirSync } from "node:fs";

import type { Metric, Sample } from "./text-metrics.ts";

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
