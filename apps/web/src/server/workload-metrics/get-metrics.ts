import {
  MetricsSource,
  type GetMetricsRequest,
  type GetMetricsResponse,
  type MetricKind,
  GetMetricsResponseSchema,
  MetricSchema,
  MetricSeriesSchema,
  type Metric,
} from "@binnacle/proto/dashboard";
import { durationField, timeField } from "@binnacle/proto/wire-values";
import { Fault, type Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { toSentWords } from "../base/sent-words.ts";
import { namedResource } from "../resource/named-resource.ts";
import { openEnvironment, type OpeningContext } from "../environment/open-environment.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import { isMeasured, type Measured, summedLines } from "./measured.ts";
import { ofResource, type MetricsApi, type PodsQuestion } from "./metrics-api.ts";
import { measuredOf, METRIC_NAMES } from "./metric-subject.ts";
import type { PrometheusMetrics } from "./prometheus-metrics.ts";
import { endOf, timeGrid, type TimeGrid } from "./time-grid.ts";

/** What figures are read with. */
export interface MetricsContext extends OpeningContext {
  readonly clock: Clock;
  /** Sources of metrics of workloads. */
  readonly metrics: MetricsSources;
}

/** Maximum of namespaces of one environment that are queried; the others are counted. */
const MAX_NAMESPACES = 5;

interface Question {
  readonly access: KasAccess;
  readonly kinds: readonly MetricKind[];
  readonly namespaces: readonly string[];
  readonly grid: TimeGrid;
  /** What agentk calls it, and its name; of namespaces empty. */
  readonly subject: { readonly kind: string; readonly name: string };
  readonly pods: PodsQuestion["of"] | "ingress";
}

/** Sources of metrics. */
interface MetricsSources {
  /** Name of the service in agents' options; empty: no Prometheus is queried. */
  readonly service: string;
  readonly prometheus: PrometheusMetrics;
  readonly api: MetricsApi;
}

/** What was answered about one metric, namespace by namespace. */
interface MetricAnswers {
  readonly kind: MetricKind;
  readonly measured: readonly Measured[];
}

/** Metrics for a viewer. */
interface MetricsResult {
  readonly namespaces: readonly string[];
  readonly moreNamespaces: number;
  readonly answers: readonly MetricAnswers[];
  /** Absent: there are no measurements. */
  readonly source?: MetricsSource;
  readonly service?: string;
  readonly grid?: TimeGrid;
  /** Why there are none, or not from Prometheus. */
  readonly why?: Words;
}

/**
 * Metrics of a workload, or of an environment's namespaces, queried as the viewer: of a Prometheus behind the agent, or where that is not
 * to be had the present values of metrics.k8s.io. Why there are none is in the answer.
 *
 * @throws Fault `invalid_request`; as openEnvironment
 */
export async function getMetrics(
  context: MetricsContext,
  of: { readonly viewerAccess: ViewerAccess | undefined; readonly request: GetMetricsRequest; readonly signal: AbortSignal },
): Promise<GetMetricsResponse> {
  const { ref, minutes } = of.request;
  const named = ref && namedResource(ref);
  const measured = measuredOf(ref);
  if (!measured) throw new Fault("invalid_request", "nothing is measured of this kind");
  const grid = timeGrid(minutes, context.clock.now());
  const { access, scope } = await openEnvironment(context, of);
  const all = ref ? [ref.namespace] : scope.namespaces;
  const namespaces = all.slice(0, MAX_NAMESPACES);
  const about = { namespaces, moreNamespaces: all.length - namespaces.length };
  if (namespaces.length === 0) return toMetrics({ ...about, answers: [], why: noMetrics(undefined, words("metrics/no-namespace")) });
  const wanted = new Set(of.request.kinds);
  const kinds = measured.metrics.filter((kind) => wanted.size === 0 || wanted.has(kind));
  const subject = { kind: measured.kind, name: ref?.name ?? "" };
  const pods = measured.kind === "ingress" ? "ingress" : named && { kind: named.kind, name: named.ref.name };
  return answerOf(context.metrics, { access, kinds, namespaces, grid, subject, pods }, about);
}

async function answerOf(
  sources: MetricsSources,
  question: Question,
  about: { readonly namespaces: readonly string[]; readonly moreNamespaces: number },
): Promise<GetMetricsResponse> {
  const { service } = sources;
  const { grid } = question;
  const first = service === "" ? [] : await ofPrometheus(sources, question);
  if (hasValues(first)) return toMetrics({ ...about, answers: first, source: MetricsSource.PROMETHEUS, service, grid });
  const why = service === "" ? undefined : (whyOf(first) ?? words("metrics/nothing-measured", { service }));
  const second = await ofMetricsApi(sources.api, question);
  if (!hasValues(second))
    return toMetrics({ ...about, answers: [], why: noMetrics(why, whyOf(second) ?? words("metrics/api-not-served")) });
  const now = { start: endOf(grid), step: 0, points: 1 };
  const presentOnly = words("metrics/present-only", { prometheus: why });
  return toMetrics({ ...about, answers: second, source: MetricsSource.METRICS_API, grid: now, why: presentOnly });
}

function ofPrometheus({ service, prometheus }: MetricsSources, question: Question): Promise<MetricAnswers[]> {
  const { access, kinds, namespaces, grid, subject } = question;
  return Promise.all(
    kinds.map(async (kind) => {
      const metric = METRIC_NAMES.get(kind) ?? "cpu";
      const reads = namespaces.map((namespace) => prometheus.read(access, { service, metric, subject: { ...subject, namespace }, grid }));
      return { kind, measured: await Promise.all(reads) };
    }),
  );
}

async function ofMetricsApi(api: MetricsApi, { access, kinds, namespaces, pods }: Question): Promise<MetricAnswers[]> {
  if (pods === "ingress") return [{ kind: kinds[0] ?? 0, measured: [{ kind: "refused", why: words("metrics/api-none-of-ingress") }] }];
  const answers = await Promise.all(namespaces.map((namespace) => api.read(access, { namespace, ...(pods && { of: pods }) })));
  return kinds.flatMap((kind) => {
    const name = METRIC_NAMES.get(kind);
    if (name !== "cpu" && name !== "memory") return [];
    return [{ kind, measured: answers.map((answer) => ofResource(answer, name)) }];
  });
}

function hasValues(answers: readonly MetricAnswers[]): boolean {
  return answers.some(({ measured }) => measured.some((each) => each.kind === "measured" && each.lines.some(isMeasured)));
}

function whyOf(answers: readonly MetricAnswers[]): Words | undefined {
  const refused = answers.flatMap(({ measured }) => measured).find((each: Measured) => each.kind === "refused");
  return refused?.why;
}

function noMetrics(prometheus: Words | undefined, api: Words): Words {
  return words("metrics/none", { prometheus, api });
}

/** As a message. */
export function toMetrics(result: MetricsResult): GetMetricsResponse {
  const { namespaces, moreNamespaces, answers, source = MetricsSource.UNSPECIFIED, service = "", grid, why } = result;
  return create(GetMetricsResponseSchema, {
    metrics: answers.map(toMetric),
    source,
    service,
    namespaces: [...namespaces],
    moreNamespaces,
    ...timeField("begin", grid && grid.start * 1_000),
    ...durationField("step", grid && grid.step > 0 ? grid.step * 1_000 : undefined),
    ...(why && { words: toSentWords(why) }),
  });
}

function toMetric({ kind, measured }: MetricAnswers): Metric {
  const lines = measured.flatMap((each) => (each.kind === "measured" ? each.lines : []));
  const series = summedLines(lines).map(({ name, queries, values }) =>
    create(MetricSeriesSchema, { name, queries: [...queries], values: [...values] }),
  );
  const refused = measured.find((each) => each.kind === "refused");
  return create(MetricSchema, { kind, series, ...(refused && { words: toSentWords(refused.why) }) });
}
