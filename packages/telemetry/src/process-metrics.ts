import { collectDefaultMetrics, type Registry } from "prom-client";

/** Gauges whose names end like those of counters; the gauges without the ending say the same, by type. */
const MISNAMED = ["nodejs_active_handles_total", "nodejs_active_requests_total", "nodejs_active_resources_total"] as const;

/** Figures of the process and of Node, as far as their names keep Prometheus' rules (`promtool check metrics`). */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}
