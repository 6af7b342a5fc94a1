import { Counter, Gauge, type Registry } from "prom-client";

/** What streams of logs count. */
export interface LogsMetrics {
  /** Streams; a number more or less. */
  streams(change: 1 | -1): void;
  /** Bytes of a message came from an agent, or left to a reader. */
  bytes(direction: "in" | "out", bytes: number): void;
}

/** Makes the metrics in a registry. */
export function createLogsMetrics(registry: Registry): LogsMetrics {
  const registers = [registry];
  const streams = new Gauge({ name: "kas_log_streams_open", help: "Streams of logs that agents read for clients", registers });
  const bytes = new Counter({
    name: "kas_log_bytes_total",
    help: "Bytes of logs that came from agents, or left to readers",
    labelNames: ["direction"],
    registers,
  });
  return {
    streams: (change) => streams.inc(change),
    bytes: (direction, count) => bytes.labels(direction).inc(count),
  };
}
