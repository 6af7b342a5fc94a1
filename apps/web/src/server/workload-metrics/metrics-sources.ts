import type { MetricsApi } from "./metrics-api.ts";
import type { PrometheusMetrics } from "./prometheus-metrics.ts";

/** Who is asked for figures. */
export interface MetricsSources {
  /** Name of the service in agents' options; empty: no Prometheus is asked. */
  readonly service: string;
  readonly prometheus: PrometheusMetrics;
  readonly api: MetricsApi;
}
