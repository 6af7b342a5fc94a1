import type { GetMetricsResponse, Metric, MetricSeries } from "@binnacle/proto/dashboard";
import { MetricKind } from "@binnacle/proto/dashboard-enums";
import { tLater } from "../../ui/messages.ts";
import { formatAge } from "../../ui/format-time.ts";
import { formatBytes, formatNumber } from "./format-amount.ts";

const { CPU, MEMORY, RESTARTS, REQUESTS } = MetricKind;

/** One line of a metric as a page shows it. */
export interface Figure {
  readonly key: string;
  readonly metric: string;
  readonly values: readonly number[];
  readonly requested: readonly number[];
  readonly limit: readonly number[];
  /** The newest value, "0.12 cores"; how old it is where the newest moments were not measured. */
  readonly value: string;
  /** "0.5 requested"; empty without one. */
  readonly requestedText: string;
  /** "limit 1"; empty without one. */
  readonly limitText: string;
  /** All of it, for who does not see the line. */
  readonly name: string;
}

/** How metrics are called. */
const NAMES = new Map<number, "metrics/cpu" | "metrics/memory" | "detail/restarts" | "metrics/requests">([
  [CPU, "metrics/cpu"],
  [MEMORY, "metrics/memory"],
  [RESTARTS, "detail/restarts"],
  [REQUESTS, "metrics/requests"],
]);
/** Lines that others are compared with. */
const COMPARED: ReadonlySet<string> = new Set(["requests", "limits"]);

/** How a metric is called; requests with whose figures they are where there are several. */
export function metricName({ kind, series }: Metric, line?: string): string {
  if (kind === REQUESTS && line !== undefined && series.length > 1) return tLater("metrics/requests-of", { whose: line });
  return tLater(NAMES.get(kind) ?? "metrics/title");
}

/** "last 30 minutes"; empty where there is one moment alone. */
export function spanOf({ metrics, step }: Pick<GetMetricsResponse, "metrics" | "step">): string {
  const moments = metrics[0]?.series[0]?.values.length ?? 0;
  if (step === undefined || moments < 2) return "";
  return tLater("metrics/last-minutes", { minutes: Math.round((Number(step.seconds) * moments) / 60) });
}

/** What is shown of an answer, in its order; metrics without a value are left out. */
export function figuresOf(answer: GetMetricsResponse): readonly Figure[] {
  return answer.metrics.flatMap((metric) => {
    const shown = metric.series.filter(({ name }) => !COMPARED.has(name));
    return shown.map((series) => figureOf(answer, metric, series));
  });
}

function figureOf(answer: GetMetricsResponse, metric: Metric, { name: line, values }: MetricSeries): Figure {
  const [requested = [], limit = []] = ["requests", "limits"].map((each) => metric.series.find(({ name }) => name === each)?.values);
  const name = metricName(metric, line);
  const value = valueText(metric.kind, values, Number(answer.step?.seconds ?? 0n));
  const [requestedAmount, limitAmount] = [requested, limit].map((each) => newestOf(each)?.value);
  const requestedText =
    requestedAmount === undefined ? "" : tLater("metrics/requested", { amount: bareAmount(metric.kind, requestedAmount) });
  const limitText = limitAmount === undefined ? "" : tLater("metrics/limit", { amount: bareAmount(metric.kind, limitAmount) });
  return {
    key: `${metric.kind} ${line}`,
    metric: name,
    values,
    requested,
    limit,
    value,
    requestedText,
    limitText,
    name: tLater("metrics/name", { metric: name, value, requested: requestedText, limit: limitText, span: spanOf(answer) }),
  };
}

/** The newest number there is, and how many moments came after it. */
function newestOf(values: readonly number[]): { readonly value: number; readonly since: number } | undefined {
  const at = values.findLastIndex((value) => Number.isFinite(value));
  const value = values[at];
  return value === undefined ? undefined : { value, since: values.length - 1 - at };
}

/** A moment may be missing because the question came before its measurement. */
const LATE_MOMENTS = 2;

function valueText(kind: MetricKind, values: readonly number[], stepSeconds: number): string {
  const newest = newestOf(values);
  if (newest === undefined) return "";
  const value = amountText(kind, newest.value);
  if (newest.since <= LATE_MOMENTS) return value;
  return tLater("metrics/ago", { value, age: formatAge(0, newest.since * stepSeconds * 1_000) });
}

function amountText(kind: MetricKind, amount: number): string {
  switch (kind) {
    case CPU:
      return tLater("metrics/cores", { amount: formatNumber(amount) });
    case MEMORY:
      return tLater("metrics/amount", { amount: formatBytes(amount) });
    case RESTARTS:
      // Prometheus guesses what happened before the first and after the last look.
      return tLater("metrics/in-an-hour", { amount: formatNumber(Math.round(amount)) });
    default:
      return tLater("metrics/per-second", { amount: formatNumber(amount) });
  }
}

function bareAmount(kind: MetricKind, amount: number): string {
  return kind === MEMORY ? formatBytes(amount) : formatNumber(amount);
}
