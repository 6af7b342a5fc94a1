import {
  GetMetricsResponseSchema,
  MetricKind,
  MetricsSource,
  type GetMetricsRequest,
  type GetMetricsResponse,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";

type Metric = NonNullable<MessageInitShape<typeof GetMetricsResponseSchema>["metrics"]>[number];

const POINTS = 60;
const STEP_MS = 30_000;
const MIB = 2 ** 20;
const { CPU, MEMORY, RESTARTS, REQUESTS } = MetricKind;
const NOT_ALLOWED = words("metrics/service-not-allowed", { service: "prometheus" });

/** A line that goes up and down around a number, another one for each seed. */
function wave(around: number, seed: number): number[] {
  return Array.from({ length: POINTS }, (_, at) => around * (1 + 0.25 * Math.sin(at / 4 + seed) + 0.12 * Math.sin(at * 1.7 + seed * 3)));
}

function flat(value: number): number[] {
  return Array.from({ length: POINTS }, () => value);
}

function allMetrics(seed: number): readonly Metric[] {
  const pods = 'namespace="shop-prod",pod=~"checkout-[bcdfghjklmnpqrstvwxz2456789]+-[bcdfghjklmnpqrstvwxz2456789]{5}"';
  const rate = (series: string): string[] => [`sum(rate(${series}{${pods},container!="",container!="POD"}[5m]))`];
  const reserved = (of: string, resource: string): string[] => [`sum(kube_pod_container_resource_${of}{${pods},resource="${resource}"})`];
  return [
    {
      kind: CPU,
      series: [
        { name: "usage", values: wave(0.34, seed), queries: rate("container_cpu_usage_seconds_total") },
        { name: "requests", values: flat(0.5), queries: reserved("requests", "cpu") },
        { name: "limits", values: flat(1), queries: reserved("limits", "cpu") },
      ],
    },
    {
      kind: MEMORY,
      series: [
        { name: "usage", values: wave(210 * MIB, seed + 2), queries: [`sum(container_memory_working_set_bytes{${pods}})`] },
        { name: "requests", values: flat(192 * MIB), queries: reserved("requests", "memory") },
        { name: "limits", values: flat(384 * MIB), queries: reserved("limits", "memory") },
      ],
    },
    {
      kind: RESTARTS,
      series: [
        {
          name: "restarts",
          values: [...flat(0).slice(0, 40), ...flat(2).slice(0, 20)],
          queries: [`sum(increase(kube_pod_container_status_restarts_total{${pods}}[1h]))`],
        },
      ],
    },
    { kind: REQUESTS, series: [{ name: "istio", values: wave(41.7, seed + 4), queries: rate("istio_requests_total") }] },
  ];
}

/** As a Prometheus would answer. @param seed another one gives other lines @param kinds none: all */
export function fixtureMetrics(seed: number, kinds: readonly MetricKind[] = []): GetMetricsResponse {
  return create(GetMetricsResponseSchema, {
    source: MetricsSource.PROMETHEUS,
    service: "prometheus",
    begin: timestampFromMs(Date.now() - POINTS * STEP_MS),
    step: durationFromMs(STEP_MS),
    namespaces: ["shop-prod"],
    metrics: allMetrics(seed).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind ?? 0)),
  });
}

/** The same with moments at which nothing was measured, the newest among them, and without requests and limits. */
export function metricsWithGaps(): GetMetricsResponse {
  const whole = fixtureMetrics(3);
  const metrics = whole.metrics.map((metric) => ({
    ...metric,
    series: metric.series
      .filter(({ name }) => name !== "requests" && name !== "limits")
      .map((series) => ({
        ...series,
        values: series.values.map((value, at) => (at < 8 || (at > 20 && at < 26) || at > 54 ? Number.NaN : value)),
      })),
  }));
  return { ...whole, metrics };
}

/** As metrics.k8s.io answers: one value. */
export function presentMetrics(): GetMetricsResponse {
  return create(GetMetricsResponseSchema, {
    source: MetricsSource.METRICS_API,
    begin: timestampFromMs(Date.now()),
    namespaces: ["shop-prod", "shop-data"],
    moreNamespaces: 2,
    words: toWordsMessage(words("metrics/present-only", { prometheus: NOT_ALLOWED })),
    metrics: allMetrics(1)
      .slice(0, 2)
      .map(({ kind, series = [] }) => ({
        ...(kind !== undefined && { kind }),
        series: series.map(({ name = "", values = [] }) => ({ name, values: values.slice(-1) })),
      })),
  });
}

/** There are no measurements. */
export function noMetrics(): GetMetricsResponse {
  const absence = words("metrics/none", { prometheus: NOT_ALLOWED, api: words("metrics/api-not-served") });
  return create(GetMetricsResponseSchema, { namespaces: ["shop-prod"], words: toWordsMessage(absence) });
}

/** The metrics of the fixture's environments: each shows another case. */
export function metricsOf({ environment, ref, kinds }: GetMetricsRequest): GetMetricsResponse {
  if (environment === "staging") return presentMetrics();
  return environment === "production" ? fixtureMetrics(ref?.name.length ?? 0, kinds) : noMetrics();
}
